using Mux.Description;
using Mux.Proto.Tests.Calls;
using Mux.Proto.Tests.Contracts;
using Mux.Proto.Tests.Imported.Known;
using Mux.Proto.Tests.Imported.Modern;
using Mux.Proto.Tests.Imported.Old;
using Mux.Proto.Tests.Imported.Plain;
using Mux.Proto.Tests.Imported.Scalars;
using Tests.Names;
using Tests.Services;

namespace Mux.Proto.Tests.Files;

/// <summary>Imported contracts are described as their files declare them.</summary>
public sealed class DescriptionTests
{
    private static readonly Dictionary<string, Func<ContractSet>> s_sets = new(StringComparer.Ordinal)
    {
        ["known"] = ContractSet.Of<IKnownEcho>,
        ["modern"] = ContractSet.Of<IModernEcho>,
        ["names"] = ContractSet.Of<INames>,
        ["old"] = ContractSet.Of<IOldEcho>,
        ["plain"] = ContractSet.Of<IPlainEcho>,
        ["scalars"] = ContractSet.Of<IScalarsEcho>,
        ["services"] = static () => new ContractSetBuilder().Add<IDesk>().Add<IGate>().Add<IRenamed>().Build(),
    };

    public static TheoryData<string> Names => [.. s_sets.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void The_description_says_what_the_file_says(string name)
    {
        bool IsOwn(string type) => type.StartsWith($"tests.{name}.", StringComparison.Ordinal);
        var expected = FileFacts.Of(ContractSet.ReadProto($"tests/{name}.proto", TestFiles.Read), IsOwn);
        Assert.NotEmpty(expected);
        Assert.Equal(expected, FileFacts.Of(s_sets[name](), IsOwn));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task The_text_of_the_contract_means_the_same_to_protoc(string name)
    {
        Protoc.SkipUnlessThere();
        bool IsOwn(string type) => type.StartsWith($"tests.{name}.", StringComparison.Ordinal);
        var files = s_sets[name]().ToProtoFiles();
        Assert.DoesNotContain(files.Keys, static file => file.StartsWith("google/", StringComparison.Ordinal));
        var compiled = ContractSet.Read(await Protoc.Compile(files, TestContext.Current.CancellationToken));
        Assert.Equal(FileFacts.Of(s_sets[name](), IsOwn), FileFacts.Of(compiled, IsOwn));
        Assert.Equal(files, compiled.ToProtoFiles());
    }

    /// <summary>An edition, which has any group, is read by protoc of the last years only.</summary>
    [Fact]
    public void A_file_of_proto2_with_groups_is_one_of_proto2_again()
    {
        var text = ContractSet.Of<IOldEcho>().ToProtoFiles()["tests.old.proto2.proto"];
        Assert.StartsWith("syntax = \"proto2\";", text, StringComparison.Ordinal);
        Assert.Contains("optional group Single = 1 {", text, StringComparison.Ordinal);
        Assert.Contains("    optional group Inner = 3 {", text, StringComparison.Ordinal);
        Assert.Contains("repeated group Many = 4 {", text, StringComparison.Ordinal);
        Assert.Contains("    group Chosen = 6 {", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Protobufs_own_files_are_named_as_imports() =>
        Assert.Equal(
            ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers", "options"],
            ContractSet.Of<IKnownEcho>().ToProtoFiles()["tests.known.proto"].Split('\n').Where(static line => line.StartsWith("import", StringComparison.Ordinal))
                .Select(static line => Path.GetFileNameWithoutExtension(line.Split('"')[1])));

    [Fact]
    public void Contracts_in_CSharp_name_imported_types_as_their_files_do()
    {
        var set = new ContractSetBuilder().Add<IPalette>().Add<IPaints>().Build();
        Assert.Equal("tests.scalars.Tree", set.FindMessage("Mux.Proto.Tests.Calls.Swatch")!.Find(3)!.Message!.FullName);
        Assert.Equal("tests.common.Point", set.FindMessage("Mux.Proto.Tests.Calls.Swatch")!.Find(2)!.Message!.FullName);
        Assert.Equal("SInt32", $"{set.FindMessage("tests.common.Point")!.Find(1)!.Kind}");
        Assert.Equal(set.ToProtoFiles(), ContractSet.Read(set.ToFileDescriptorSet()).ToProtoFiles());
    }
}
