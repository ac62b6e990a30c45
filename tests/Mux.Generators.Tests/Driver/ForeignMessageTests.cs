using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>Messages of another assembly, of which the compiler shows what is public.</summary>
public sealed class ForeignMessageTests
{
    private const string Service = "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask Send(Item item); }";

    [Fact]
    public void A_list_that_only_a_constructor_takes_is_given_to_it()
    {
        var run = Reach("[DataContract] public sealed class Item { public Item(List<int> numbers) => Numbers = numbers; [DataMember(Order = 1)] public List<int> Numbers { get; } }");
        Assert.Empty(run.Diagnostics);
        Assert.Contains("new global::Item(fields.Numbers)", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
        Assert.DoesNotContain("has no setter and holds null", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[DataMember(Order = 1)] public int A; private bool ShouldSerializeA() => true;", "Item.ShouldSerializeA")]
    [InlineData("[OnDeserialized] private void Done(StreamingContext context) { }", "Item.Done")]
    [InlineData("[DataMember(Order = 1)] private int A { get; set; }", "Item.A")]
    public void What_is_private_there_and_counts_is_told(string members, string says)
    {
        var run = Reach($"[DataContract] public class Item {{ {members} }}");
        var diagnostic = Assert.Single(run.Diagnostics);
        Assert.Equal("MUX0017", diagnostic.Id);
        Assert.Contains(says, diagnostic.GetMessage(null), StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_private_there_and_does_not_count_is_not_told()
    {
        Assert.Empty(Reach("[DataContract] public class Item { [DataMember(Order = 1)] public int A; private bool ShouldSerializeB() => true; private void Done() { } }").Diagnostics);
    }

    [Fact]
    public void All_fields_of_a_message_there_cannot_be_numbered()
    {
        var diagnostic = Assert.Single(Reach("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Item { public int A; }").Diagnostics);
        Assert.Equal("MUX0020", diagnostic.Id);
        Assert.Contains("in another assembly", diagnostic.GetMessage(null), StringComparison.Ordinal);
    }

    [Fact]
    public void Derived_messages_are_found_there_by_name()
    {
        var run = Reach("[ProtoBuf.ProtoContract, ProtoBuf.ProtoInclude(1, \"Dog, Foreign\")] public class Item { } [ProtoBuf.ProtoContract] public class Dog : Item { }");
        Assert.Empty(run.Diagnostics);
        Assert.Contains("DogCodec.ReadPart", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
    }

    private static GeneratorRun Reach(string message)
    {
        using var image = new MemoryStream();
        var foreign = GeneratorRun.Compile("Foreign", [], "using System.Collections.Generic; using System.Runtime.Serialization; " + message, GeneratorRun.ProtoBufSource);
        Assert.True(foreign.Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        return GeneratorRun.Of(GeneratorRun.Compile("Home", [MetadataReference.CreateFromImage(image.ToArray())], Service));
    }
}
