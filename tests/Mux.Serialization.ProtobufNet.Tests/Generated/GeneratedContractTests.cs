using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators;
using Mux.Serialization.Oracles.Shapes;
using Mux.TestSupport.Connections;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet.Tests.Generated;

/// <summary>Contracts made at random, compiled while the test runs, and compared with protobuf-net byte for byte and back.</summary>
public sealed class GeneratedContractTests
{
    private const int Messages = 75;
    private const int Objects = 20;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void A_generated_contract_has_the_bytes_of_protobuf_net(int seed) => CompareAll(seed);

    /// <summary>A contract that no earlier run has made. MUX_TEST_SEED makes the same again.</summary>
    [Fact]
    public void A_contract_of_this_run_alone_has_the_bytes_of_protobuf_net() => Seeds.ForEach(1, CompareAll);

    private static void CompareAll(int seed)
    {
        var random = new Random(seed);
        var codecs = Compile(new ContractSource(random).Next(Messages));
        var model = RuntimeTypeModel.Create();
        var filler = new ObjectFiller(random);
        Assert.Equal(Messages, codecs.Count);
        Assert.All(codecs, codec =>
        {
            for (int i = 0; i < Objects; i++) Compare(codec.Value, model, filler);
        });
    }

    private static void Compare(ShapeCodec codec, RuntimeTypeModel model, ObjectFiller filler)
    {
        var made = filler.Next(codec.Contract);
        var copy = Copy(made);
        using var stream = new MemoryStream();
        model.Serialize(stream, copy); // callbacks change the object
        var said = ObjectFiller.Say(made);
        Assert.Equal($"{said} {Convert.ToHexString(stream.ToArray())}", $"{said} {Convert.ToHexString(codec.Encode(made))}");
        Assert.Equal(ObjectFiller.Say(copy), ObjectFiller.Say(made));
        Assert.Equal(ObjectFiller.Say(model.Deserialize(codec.Contract, (ReadOnlySpan<byte>)stream.ToArray())), ObjectFiller.Say(codec.Decode(stream.ToArray())));
    }

    private static object Copy(object made)
    {
        var copy = Activator.CreateInstance(made.GetType())!;
        foreach (var field in made.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)) field.SetValue(copy, field.GetValue(made));
        return copy;
    }

    private static IReadOnlyDictionary<string, ShapeCodec> Compile(string source)
    {
        var paths = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var compilation = CSharpCompilation.Create(
            "Generated", [CSharpSyntaxTree.ParseText(source, cancellationToken: TestContext.Current.CancellationToken)],
            paths.Select(static path => MetadataReference.CreateFromFile(path)), new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        CSharpGeneratorDriver.Create(new MuxGenerator()).RunGeneratorsAndUpdateCompilation(compilation, out var output, out var diagnostics, TestContext.Current.CancellationToken);
        Assert.DoesNotContain(diagnostics, static diagnostic => diagnostic.Severity >= DiagnosticSeverity.Warning);

        using var image = new MemoryStream();
        var result = output.Emit(image, cancellationToken: TestContext.Current.CancellationToken);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error).Take(10)));
        var assembly = Assembly.Load(image.ToArray());
        System.Runtime.CompilerServices.RuntimeHelpers.RunModuleConstructor(assembly.ManifestModule.ModuleHandle);
        var codecs = typeof(MethodCodecs<>).MakeGenericType(assembly.GetType("IGenerated", throwOnError: true)!);
        return (IReadOnlyDictionary<string, ShapeCodec>)codecs.GetProperty("ByName")!.GetValue(null)!;
    }
}
