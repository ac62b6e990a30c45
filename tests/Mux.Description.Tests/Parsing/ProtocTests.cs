using Mux.Description.Proto.Joining;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Parsing;

/// <summary>Files mean what protoc says that they mean.</summary>
public sealed class ProtocTests
{
    public static IEnumerable<TheoryDataRow<string>> Names => ParsedText.Names.Select(static name => new TheoryDataRow<string>(name));

    public static IEnumerable<TheoryDataRow<string>> Included => !ProtocFolder.HasProtoc ? []
        : Directory.GetFiles(ProtocFolder.Includes, "*.proto", SearchOption.AllDirectories).Select(static path => new TheoryDataRow<string>(Path.GetRelativePath(ProtocFolder.Includes, path)));

    [Theory]
    [MemberData(nameof(Names))]
    [InlineData("mux/options.proto")]
    [InlineData("mux/bodies.proto")]
    [InlineData("bcl.proto")]
    public async Task A_file_has_the_descriptor_that_protoc_makes(string name)
    {
        Assert.SkipUnless(ProtocFolder.HasProtoc, "Grpc.Tools has no protoc for this machine.");
        using var folder = new ProtocFolder();
        foreach (var file in ParsedText.Names) folder.Write(file, ParsedText.File(file));
        foreach (var file in new[] { "mux/options.proto", "mux/bodies.proto", "bcl.proto" }) folder.Write(file, BuiltInFiles.Read(file)!);
        var (set, said) = await folder.Read(name, TestContext.Current.CancellationToken);
        Assert.True(set is not null, said);
        AssertEqual(DescriptorReader.Read(set), Load(name, ParsedText.TryFile), static file => !file.StartsWith("google/", StringComparison.Ordinal)); // built in without comments
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Included))]
    public async Task Protobufs_own_files_have_the_descriptors_that_protoc_makes_read_or_built_in(string name)
    {
        using var folder = new ProtocFolder();
        var (set, said) = await folder.Read(name, TestContext.Current.CancellationToken);
        Assert.True(set is not null, said);
        var expected = DescriptorReader.Read(set);
        AssertEqual(expected, Load(name, static path => File.ReadAllText(Path.Combine(ProtocFolder.Includes, path))), static _ => true);
        AssertEqual(expected, Load(name, static _ => null), static _ => false);
    }

    [Theory]
    [InlineData("google/protobuf/empty.proto")]
    [InlineData("google/protobuf/timestamp.proto")]
    [InlineData("google/protobuf/duration.proto")]
    [InlineData("bcl.proto")]
    [InlineData("mux/bodies.proto")]
    [InlineData("google/protobuf/any.proto")]
    [InlineData("google/protobuf/api.proto")]
    [InlineData("google/protobuf/descriptor.proto")]
    public void Files_that_descriptions_of_contracts_have_are_the_ones_that_are_built_in(string name)
    {
        var shared = SharedFiles.Describe(name).Aggregate(new WireWriter(), static (all, file) => all.Message(1, file.Descriptor));
        var described = DescriptorReader.Read(shared.ToArray());
        var builtIn = Load(name, static _ => null).Files[^1];
        Assert.Equal(Without(described.Files[^1]), Without(builtIn));

        // Options of other languages, and the order of a message's parts, are none of the contracts' business.
        static IEnumerable<string> Without(ProtoFile file) => ProtoShape.Of(file).Skip(1).Order(StringComparer.Ordinal);
    }

    private static ProtoSet Load(string name, Func<string, string?> readFile)
    {
        var faults = new List<ProtoFault>();
        var set = ProtoLoader.Load(name, readFile, faults);
        Assert.True(set is not null, string.Join('\n', faults));
        return set;
    }

    private static void AssertEqual(ProtoSet expected, ProtoSet actual, Predicate<string> hasComments)
    {
        Assert.Equal(expected.Files.Select(static file => file.Name), actual.Files.Select(static file => file.Name));
        foreach (var (one, other) in expected.Files.Zip(actual.Files))
        {
            Assert.Equal(string.Join('\n', ProtoShape.Of(one)), string.Join('\n', ProtoShape.Of(other)));
            if (hasComments(one.Name)) Assert.Equal(string.Join('\n', ProtoShape.CommentsOf(one)), string.Join('\n', ProtoShape.CommentsOf(other)));
        }

        Assert.Equal(DescriptorWriter.Write(expected, null), DescriptorWriter.Write(actual, null));
    }
}
