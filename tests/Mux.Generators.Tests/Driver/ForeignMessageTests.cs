using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Emit;

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
        Assert.Contains("new global::Item(fields.Field1)", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
        Assert.DoesNotContain("has no setter and holds null", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[DataMember(Order = 1)] public int A; private bool ShouldSerializeA() => true;", "Item.ShouldSerializeA")]
    [InlineData("[OnDeserialized] private void Done(StreamingContext context) { }", "Item.Done")]
    [InlineData("[DataMember(Order = 1)] private int A { get; set; }", "Item.A")]
    [InlineData("[DataMember(Order = 1)] internal int A;", "Item.A")]
    [InlineData("[ProtoBuf.ProtoMember(1)] private int _a;", "Item._a")]
    [InlineData("[DataMember(Order = 1)] public int A; private bool ASpecified => true;", "Item.ASpecified")]
    [InlineData("private Mux.UnknownFields _rest;", "Item._rest")]
    [InlineData("private Mux.UnknownFields Rest { get; set; }", "Item.Rest")]
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
        const string members = "[DataMember(Order = 1)] public int A; private bool ShouldSerializeB() => true; private bool BSpecified => true; private bool ShouldSerializeA(int i) => true; private void Done() { }";
        Assert.Empty(Reach($"[DataContract] public class Item {{ {members} }}").Diagnostics);
    }

    [Theory]
    [InlineData("[XmlElement(Order = 1)] private int A { get; set; }", "Item.A")]
    [InlineData("[XmlArray(Order = 1)] private int[] _a;", "Item._a")]
    public void What_is_private_there_and_numbered_for_XML_is_told(string members, string says)
    {
        var diagnostic = Assert.Single(Reach($"[XmlType] public class Item {{ {members} }}").Diagnostics);
        Assert.Equal("MUX0017", diagnostic.Id);
        Assert.Contains(says, diagnostic.GetMessage(null), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("internal bool ShouldSerializeA() => true;", true)]
    [InlineData("internal bool ASpecified => true;", true)]
    [InlineData("private bool ShouldSerializeA() => true;", false)]
    [InlineData("private bool ASpecified => true;", false)]
    public void A_hidden_condition_in_a_base_class_is_told_where_protobuf_net_finds_it(string condition, bool isInherited)
    {
        var run = Reach($"public class Base {{ {condition} }} [DataContract] public class Item : Base {{ [DataMember(Order = 1)] public int A; }}");
        Assert.Equal(isInherited ? ["MUX0017"] : [], run.Diagnostics.Select(static diagnostic => diagnostic.Id));
    }

    [Fact]
    public void A_hidden_condition_in_a_base_class_is_told_also_for_a_message_that_is_here()
    {
        var home = "[System.Runtime.Serialization.DataContract] public class Item : Base { [System.Runtime.Serialization.DataMember(Order = 1)] public int A; } " + Service;
        Assert.Equal("MUX0017", Assert.Single(Reach("public class Base { internal bool ShouldSerializeA() => true; }", home).Diagnostics).Id);
    }

    [Theory]
    [InlineData("[DataContract] public class Item { [DataMember(Order = 1)] public int A; }")]
    [InlineData("[DataContract] public struct Item { [DataMember(Order = 1)] public int A; }")]
    [InlineData("[ProtoBuf.ProtoContract] public class Item { [ProtoBuf.ProtoMember(1)] private int _a; }")]
    [InlineData("[ProtoBuf.ProtoContract(Surrogate = typeof(string))] public class Item { public static implicit operator string(Item item) => \"\"; public static implicit operator Item(string text) => new(); }")]
    public void A_message_of_a_reference_assembly_is_told_with_the_property_that_helps(string message)
    {
        var run = Reach(message, Service, asReference: true);
        var diagnostic = Assert.Single(run.Diagnostics);
        Assert.Equal("MUX0068", diagnostic.Id);
        Assert.Contains("'Item'", diagnostic.GetMessage(null), StringComparison.Ordinal);
        Assert.Contains("'Foreign'", diagnostic.GetMessage(null), StringComparison.Ordinal);
        Assert.Contains("<CompileUsingReferenceAssemblies>false</CompileUsingReferenceAssemblies>", diagnostic.GetMessage(null), StringComparison.Ordinal);
        Assert.Equal("Send", Service.Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length));
    }

    [Fact]
    public void A_base_class_of_a_reference_assembly_is_told_as_its_conditions_count()
    {
        var home = "[System.Runtime.Serialization.DataContract] public class Item : Base { [System.Runtime.Serialization.DataMember(Order = 1)] public int A; } " + Service;
        var diagnostic = Assert.Single(Reach("public class Base { }", home, asReference: true).Diagnostics);
        Assert.Equal("MUX0068", diagnostic.Id);
        Assert.Contains("'Base'", diagnostic.GetMessage(null), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("public sealed record Item(int A, string B);")]
    [InlineData("public readonly struct Item(int a) { public int A { get; } = a; }")]
    public void A_tuple_of_a_reference_assembly_is_taken_as_it_has_public_members_only(string message) => Assert.Empty(Reach(message, Service, asReference: true).Diagnostics);

    [Fact]
    public void Types_of_the_framework_are_no_messages_of_a_reference_assembly()
    {
        const string home = """
            using System.Collections.Generic; using System.Runtime.Serialization;
            [DataContract] public class Item : System.EventArgs { [DataMember(Order = 1)] public KeyValuePair<int, string> A; [DataMember(Order = 2)] public Dictionary<int, System.DayOfWeek>? B; }
            """;
        Assert.Empty(Reach("public class Other { }", home + Service, asReference: true).Diagnostics);
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
        Assert.Contains("Dog_Codec.ReadPart", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
    }

    private static GeneratorRun Reach(string message, string home = Service, bool asReference = false)
    {
        using var image = new MemoryStream();
        var usings = "using System.Collections.Generic; using System.Runtime.Serialization; using System.Xml.Serialization; ";
        var foreign = GeneratorRun.Compile("Foreign", [], usings + message, GeneratorRun.ProtoBufSource);
        var options = new EmitOptions(metadataOnly: asReference, includePrivateMembers: !asReference);
        Assert.True(foreign.Emit(image, options: options, cancellationToken: TestContext.Current.CancellationToken).Success);
        return GeneratorRun.Of(GeneratorRun.Compile("Home", [MetadataReference.CreateFromImage(image.ToArray())], home));
    }
}
