using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Tests.Circles;
using Mux.Description.Tests.Contracts;
using Mux.Description.Tests.Google;
using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.Oracles.Trees;
using Mux.Serialization.Oracles.Values;
using Mux.Tests.Contracts;
using Mux.TestSupport.Connections;

namespace Mux.Description.Tests.Exports;

/// <summary>The text of contracts: protoc compiles it, and what it makes of it means what the contracts say.</summary>
public sealed class ExportTests
{
    private static readonly Lazy<Task<IReadOnlyList<FileDescriptor>>> s_shapes = new(static async () =>
    {
        var set = InOlderLanguages(await Protoc.Compile(ContractSet.Of<IShapes>().ToProtoFiles(), CancellationToken.None));
        return FileDescriptor.BuildFromByteStrings(FileDescriptorSet.Parser.ParseFrom(set).File.Select(static file => file.ToByteString()));
    });

    public static TheoryData<Type> Contracts => [.. new[] { typeof(IStore), typeof(ICircles), typeof(IShapes), typeof(IBooks) }
        .Concat(typeof(IForms).Assembly.GetTypes().Where(static type => type.IsInterface && type.GetCustomAttribute<MuxServiceAttribute>() is not null))];

    public static TheoryData<Shape> Shapes => [.. ShapeCatalog.All];

    [Theory]
    [MemberData(nameof(Contracts))]
    public async Task What_protoc_makes_of_the_text_means_what_the_contract_says(Type contract)
    {
        Protoc.SkipUnlessThere();
        var set = SetOf(contract);
        var texts = set.ToProtoFiles();
        var compiled = await Protoc.Compile(texts, TestContext.Current.CancellationToken);
        bool IsOwn(string file) => texts.ContainsKey(file) && file != "mux/options.proto";
        Assert.Equal(Meaning.Of(set.ToFileDescriptorSet(), IsOwn), Meaning.Of(InOlderLanguages(compiled), IsOwn));
        Assert.Equal(texts, ContractSet.Read(compiled).ToProtoFiles());
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task A_program_that_has_the_text_reads_and_writes_the_bytes_that_Google_and_the_codec_write(Shape shape)
    {
        Protoc.SkipUnlessThere();
        var method = (await s_shapes.Value).SelectMany(static file => file.Services).Single(static service => service.Name == "shapes").FindMethodByName(shape.Name);
        Seeds.ForEach(100, seed =>
        {
            var message = new RandomMessages(new Random(seed)).Next(shape.Descriptor);
            var made = ContractBuilder.Build(shape.Contract, GoogleTree.Of(message), shape.Descriptor);
            var sent = Walk.Rewrite(shape.Encode(made), method.InputType);
            Assert.Equal(Convert.ToHexString(message.ToByteArray()), Convert.ToHexString(sent));
            Assert.Equal(message, shape.Parse(sent));
            Assert.Equal(GoogleTree.Of(message).ToString(), ContractTree.Of(shape.Decode(sent), shape.Descriptor).ToString());
        });
    }

    [Fact]
    public void Protobufs_own_files_are_not_written_and_those_of_others_are() => Assert.Equal(
        ["Mux.Description.Tests.Contracts.proto", "bcl.proto", "mux/bodies.proto", "mux/options.proto", "test.proto"], ContractSet.Of<IStore>().ToProtoFiles().Keys);

    [Fact]
    public void Equal_sets_have_equal_texts()
    {
        var one = new ContractSetBuilder().Add<IStore>().Add<IForms>().Build();
        var other = new ContractSetBuilder().Add<IForms>().Add<IStore>().Build();
        Assert.Equal(one.ToProtoFiles(), other.ToProtoFiles());
        Assert.Equal(one.ToProtoFiles(), ContractSet.Read(one.ToFileDescriptorSet()).ToProtoFiles());
    }

    [Fact]
    public void Packages_that_differ_in_casing_only_are_files_that_differ_in_more() => Assert.Equal(
        ["Mux.Description.Tests.Contracts.proto", "mux.description.tests.contracts_.proto", "mux/options.proto"], ContractSet.Of<IBooks>().ToProtoFiles().Keys);

    // Google's library for C# does not resolve the features of editions: it says of each such field what proto2 says if the file is one of proto2.
    private static byte[] InOlderLanguages(byte[] compiled)
    {
        var set = DescriptorReader.Read(compiled);
        foreach (var file in set.Files.Where(static file => file.Syntax == ProtoSyntax.Edition2023)) file.Syntax = ProtoSyntax.Proto2;
        return DescriptorWriter.Write(set);
    }

    private static ContractSet SetOf(Type contract) => (ContractSet)typeof(ContractSet).GetMethod(nameof(ContractSet.Of))!.MakeGenericMethod(contract).Invoke(null, null)!;
}
