using Mux.Generators.Importing;
using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Tests.Importing;

/// <summary>Names of imported files, and C# names of what is in them.</summary>
public sealed class ImportNameTests
{
    [Theory]
    [InlineData("last_name", "LastName")]
    [InlineData("lastName", "LastName")]
    [InlineData("URL", "URL")]
    [InlineData("a1b", "A1B")]
    [InlineData("_x_", "X")]
    [InlineData("2x", "_2X")]
    [InlineData("_", "_")]
    public void Names_are_those_of_protoc(string name, string pascal) => Assert.Equal(pascal, ProtoCase.Pascal(name));

    [Theory]
    [InlineData("Color", "COLOR_DARK_RED", "DarkRed")]
    [InlineData("Color", "DARK_RED", "DarkRed")]
    [InlineData("Color", "COLOR", "Color")]
    [InlineData("Color", "COLOR_2X", "_2X")]
    [InlineData("Color", "darkRed", "DarkRed")]
    [InlineData("HTTPCode", "HTTP_CODE_OK", "Ok")]
    [InlineData("Color", "COLORFUL", "Ful")]
    public void Values_of_enums_lose_the_name_of_their_enum(string type, string value, string name) => Assert.Equal(name, ProtoCase.EnumValue(type, value));

    [Theory]
    [InlineData("/src/app/a.proto", null, "a.proto")]
    [InlineData("/src/app/protos/shop/orders.proto", null, "protos/shop/orders.proto")]
    [InlineData("/src/app/protos/shop/orders.proto", "protos", "shop/orders.proto")]
    [InlineData("/src/app/protos/shop/orders.proto", "./protos/x/..", "shop/orders.proto")]
    [InlineData("/src/vendor/shop/orders.proto", "../vendor/", "shop/orders.proto")]
    [InlineData("/src/vendor/shop/orders.proto", "/src/vendor", "shop/orders.proto")]
    [InlineData("/src/vendor/shop/orders.proto", null, "orders.proto")]
    [InlineData("C:\\src\\vendor\\shop\\orders.proto", "C:\\src\\vendor", "shop/orders.proto")]
    public void A_file_is_imported_by_its_path_below_the_root(string path, string? root, string name) =>
        Assert.Equal([name], Files(out _, (path, "syntax = \"proto3\";", root)).Names);

    [Fact]
    public void Imports_tell_the_root_for_all_files_below_it()
    {
        var files = Files(out var faults, ("/src/app/protos/shop/v1/money.proto", "", null), ("/src/app/protos/shop/v1/orders.proto", "  import public 'shop/v1/money.proto';", null), ("/src/app/other.proto", "", null));
        Assert.Equal(["shop/v1/money.proto", "shop/v1/orders.proto", "other.proto"], files.Names);
        Assert.Empty(faults);
    }

    [Fact]
    public void Two_files_of_one_name_and_one_outside_its_root_are_told()
    {
        _ = Files(out var faults, ("/a/x.proto", "", "/a"), ("/b/x.proto", "", "/b"), ("/c/x.proto", "", "/d"));
        Assert.Equal(["/b/x.proto", "/c/x.proto"], faults.Select(static fault => fault.Path));
        Assert.Equal(["'/a/x.proto' has the same path 'x.proto' in imports; remove one of them, or set ProtoRoot so that the paths differ", "it is not below its ProtoRoot '/d'; set the folder from which its imports begin"], faults.Select(static fault => fault.Arguments[1]));
    }

    private static ImportFiles Files(out List<ImportFault> faults, params (string Path, string Text, string? Root)[] inputs)
    {
        faults = [];
        return new ImportFiles(new([.. inputs.Select(static input => new ImportInput(input.Path, input.Text, input.Root, null, null, null))]), "/src/app/", faults);
    }
}
