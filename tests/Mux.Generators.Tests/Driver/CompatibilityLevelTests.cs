using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>The nearest [CompatibilityLevel] decides how a date is written.</summary>
public sealed class CompatibilityLevelTests
{
    private const string Level = "CompatibilityLevel(CompatibilityLevel.";

    private const string Service = "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask Send(Item item); }";

    public static TheoryData<string, string, string> Places => new()
    {
        { "nothing", Item(string.Empty, string.Empty), "BclGuid" },
        { "the assembly", $"[assembly: {Level}Level300)]" + Item(string.Empty, string.Empty), "GuidText" },
        { "the module", $"[module: {Level}Level300)]" + Item(string.Empty, string.Empty), "GuidText" },
        { "the module before the assembly", $"[assembly: {Level}Level300)][module: {Level}Level240)]" + Item(string.Empty, string.Empty), "BclGuid" },
        { "a module that specifies nothing", $"[assembly: {Level}Level300)][module: {Level}NotSpecified)]" + Item(string.Empty, string.Empty), "GuidText" },
        { "the type", $"[module: {Level}Level300)]" + Item($"[{Level}Level200)]", string.Empty), "BclGuid" },
        { "a type that specifies nothing", $"[module: {Level}Level300)]" + Item($"[{Level}NotSpecified)]", string.Empty), "GuidText" },
        { "the base of the type", $"[{Level}Level300)] public class Base;" + Item(string.Empty, string.Empty, "Base"), "GuidText" },
        { "the type before its base", $"[{Level}Level200)] public class Base;" + Item($"[{Level}Level300)]", string.Empty, "Base"), "GuidText" },
        { "a type that specifies nothing before its base", $"[{Level}Level300)] public class Base;" + Item($"[{Level}NotSpecified)]", string.Empty, "Base"), "BclGuid" },
        { "no interface of the type", $"[{Level}Level300)] public interface IBase;" + Item(string.Empty, string.Empty, "IBase"), "BclGuid" },
        { "the member", $"[module: {Level}Level300)]" + Item($"[{Level}Level240)]", $", {Level}Level200)"), "BclGuid" },
        { "a member that specifies nothing", Item($"[{Level}Level300)]", $", {Level}NotSpecified)"), "GuidText" },
        { "the property that the member overrides", $"public class Base {{ [{Level}Level300)] public virtual Guid Id {{ get; set; }} }}" + Item(string.Empty, string.Empty, "Base").Replace("public Guid", "public override Guid", StringComparison.Ordinal), "GuidText" },
    };

    [Theory]
    [MemberData(nameof(Places))]
    public void The_nearest_attribute_decides(string where, string source, string form)
    {
        var run = GeneratorRun.Of("using System; using ProtoBuf; " + source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Mistakes);
        Assert.True(run.GeneratedFile("ItemCodec.g.cs").Contains($"run.{form}(10, ", StringComparison.Ordinal), where);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void The_attribute_of_Mux_means_the_same_beside_the_names_of_protobuf_net(string where, string source, string form) =>
        The_nearest_attribute_decides(where, "using Mux; " + source.Replace(Level, "Mux" + Level.Replace("(", "(Mux", StringComparison.Ordinal), StringComparison.Ordinal), form);

    [Fact]
    public void The_attribute_of_Mux_needs_no_other_library()
    {
        const string source = "[assembly: Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level300)] [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public System.Guid Id; } ";
        Assert.Contains("run.GuidText(10, ", GeneratorRun.Of(source + Service).GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void Two_attributes_that_say_the_same_are_one()
    {
        var source = Item($"[{Level}Level300), Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level300)]", string.Empty);
        var run = GeneratorRun.Of("using System; using ProtoBuf; " + source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Diagnostics);
        Assert.Contains("run.GuidText(10, ", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[assembly: {0})]", "", "")]
    [InlineData("[module: {0})]", "", "")]
    [InlineData("", "[{0})]", "")]
    [InlineData("", "", ", {0})")]
    public void A_declared_level_of_200_is_a_choice_and_is_not_told(string ofProject, string ofType, string ofMember)
    {
        var source = Fill(ofProject) + Item(Fill(ofType), Fill(ofMember));
        Assert.Empty(GeneratorRun.Of("using System; using ProtoBuf; " + source, GeneratorRun.ProtoBufSource).Diagnostics);

        static string Fill(string attribute) => attribute.Replace("{0}", Level + "Level200", StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_level_of_another_assembly_is_not_told_here()
    {
        var messages = GeneratorRun.Compile("Foreign", [], GeneratorRun.ProtoBufSource, "using System; using ProtoBuf; " + Item(string.Empty, string.Empty).Replace(Service, string.Empty, StringComparison.Ordinal));
        Assert.Empty(GeneratorRun.Of(GeneratorRun.Compile("Home", [messages.ToMetadataReference()], Service)).Diagnostics);
    }

    [Fact]
    public void A_single_argument_has_no_level_that_could_be_missing() =>
        Assert.Empty(GeneratorRun.Of("[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask<System.DateTime> Get(System.Guid id); }").Diagnostics);

    [Theory]
    [InlineData("Level200", "Default", "BclDateTime(10", "BclTimeSpan(18", "BclGuid(26", "BclDecimal(34")]
    [InlineData("Level200", "WellKnown", "Timestamp(10", "Duration(18", "BclGuid(26", "BclDecimal(34")]
    [InlineData("Level200", "FixedSize", "BclDateTime(9", "BclTimeSpan(17", "BclGuid(26", "BclDecimal(34")]
    [InlineData("Level200", "Group", "BclDateTime(11", "BclTimeSpan(19", "BclGuid(27", "BclDecimal(34")]
    [InlineData("Level240", "Default", "Timestamp(10", "Duration(18", "BclGuid(26", "BclDecimal(34")]
    [InlineData("Level240", "WellKnown", "Timestamp(10", "Duration(18", "BclGuid(26", "BclDecimal(34")]
    [InlineData("Level240", "Group", "Timestamp(11", "Duration(19", "BclGuid(27", "BclDecimal(34")]
    [InlineData("Level300", "Default", "Timestamp(10", "Duration(18", "GuidText(26", "DecimalText(34")]
    [InlineData("Level300", "Group", "Timestamp(11", "Duration(19", "GuidText(26", "DecimalText(34")]
    public void The_level_and_the_format_say_how_values_are_written(string level, string format, params string[] forms)
    {
        var member = $"[ProtoMember(0, DataFormat = DataFormat.{format})] public";
        var members = string.Concat(new[] { "DateTime", "TimeSpan", "Guid", "decimal" }.Select((type, i) => $"{member.Replace("(0", $"({i + 1}", StringComparison.Ordinal)} {type} M{i};"));
        var source = $$"""using System; using ProtoBuf; [ProtoContract, {{Level}}{{level}})] public class Item { {{members}} } """ + Service;
        var run = GeneratorRun.Of(source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Diagnostics);
        Assert.All(forms, form => Assert.Contains($"run.{form}, ", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal));
    }

    [Fact]
    public void A_Guid_of_a_fixed_size_is_bytes_at_level_300()
    {
        var source = Item($"[{Level}Level300)]", string.Empty).Replace("ProtoMember(1", "ProtoMember(1, DataFormat = DataFormat.FixedSize", StringComparison.Ordinal);
        var run = GeneratorRun.Of("using System; using ProtoBuf; " + source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Diagnostics);
        Assert.Contains("run.GuidBytes(10, ", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_of_another_assembly_has_the_level_of_its_own_module()
    {
        using var image = new MemoryStream();
        var messages = GeneratorRun.Compile("Foreign", [], GeneratorRun.ProtoBufSource, $"using System; using ProtoBuf; [module: {Level}Level300)] " + Item(string.Empty, string.Empty).Replace(Service, string.Empty, StringComparison.Ordinal));
        Assert.True(messages.Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        var run = GeneratorRun.Of(GeneratorRun.Compile("Home", [MetadataReference.CreateFromImage(image.ToArray())], Service));
        Assert.Empty(run.Diagnostics);
        Assert.Contains("run.GuidText(10, ", run.GeneratedFile("ItemCodec.g.cs"), StringComparison.Ordinal);
    }

    private static string Item(string ofType, string ofMember, string? parent = null)
    {
        return $$"""{{ofType}} [ProtoContract] public class Item{{(parent is null ? string.Empty : " : " + parent)}} { [ProtoMember(1){{ofMember}}] public Guid Id { get; set; } } """ + Service;
    }
}
