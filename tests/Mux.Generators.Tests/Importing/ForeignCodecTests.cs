using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Importing;

/// <summary>
/// Of three projects, the first one makes classes of a file, the second one imports it again with codecs, and the third one
/// uses them.
/// </summary>
public sealed class ForeignCodecTests
{
    private const string Money = "syntax = \"proto3\"; package shop.v1; message Money { int64 units = 2; }";
    private const string Uses = """
        public static class Uses
        {
            public static byte[] Write() => Mux.Serialization.GeneratedCodec.ToBytes(new Shop.V1.Money { Units = 7 });
        }
        """;

    private static readonly (string Path, string Text) s_file = ("/src/app/money.proto", Money);

    [Fact]
    public void A_third_project_uses_the_codecs_of_the_second_one_for_classes_of_the_first_one()
    {
        var write = Load(loadsCodecs: true);

        Assert.Equal([0x10, 0x07], write());
    }

    [Fact]
    public void A_third_project_is_told_how_to_load_the_codecs_of_the_second_one()
    {
        var write = Load(loadsCodecs: false);

        var error = Assert.IsType<InvalidOperationException>(Assert.Throws<TargetInvocationException>(() => write()).InnerException);
        Assert.StartsWith("Shop.V1.Money has no codec without a contract", error.Message, StringComparison.Ordinal);
        Assert.Contains("in the project of 'First' or in yours. If a third project sets it, use one of its types", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Only_codecs_for_classes_of_others_are_looked_for(bool isOther)
    {
        IEnumerable<MetadataReference> first = isOther ? [ImportRun.Of(string.Empty, s_file).ToReference("First")] : [];
        var second = ImportRun.Of(string.Empty, first, [("money.proto", "Codecs", "All")], s_file);

        var attributes = second.Output.Assembly.GetAttributes().Select(static one => one.AttributeClass!.Name);
        Assert.Equal(isOther, attributes.Contains(nameof(Serialization.GeneratedCodecsAttribute)));
    }

    /// <summary>Loads the projects, and runs no code of the second one.</summary>
    private static Func<byte[]> Load(bool loadsCodecs)
    {
        var first = ImportRun.Of(string.Empty, s_file);
        var second = ImportRun.Of(string.Empty, [first.ToReference("First")], [("money.proto", "Codecs", "All")], s_file);
        var third = ImportRun.Of(Uses, [first.ToReference("First")], []);
        var context = new AssemblyLoadContext(name: null, isCollectible: true);
        Load(context, first, "First");
        if (loadsCodecs) Load(context, second, "Second");
        var write = Load(context, third, "Third").GetType("Uses")!.GetMethod("Write")!;
        return () => (byte[])write.Invoke(null, null)!;
    }

    private static Assembly Load(AssemblyLoadContext context, GeneratorRun run, string name)
    {
        Assert.Empty(run.Errors());
        using var image = new MemoryStream();
        Assert.True(run.Output.WithAssemblyName(name).Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        image.Position = 0;
        return context.LoadFromStream(image);
    }
}
