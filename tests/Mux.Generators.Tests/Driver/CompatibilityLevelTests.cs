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
        Assert.True(run.GeneratedFile("Item_Codec.g.cs").Contains($"run.{form}(10, ", StringComparison.Ordinal), where);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void The_attribute_of_Mux_means_the_same_beside_the_names_of_protobuf_net(string where, string source, string form) =>
        The_nearest_attribute_decides(where, "using Mux; " + source.Replace(Level, "Mux" + Level.Replace("(", "(Mux", StringComparison.Ordinal), StringComparison.Ordinal), form);

    [Fact]
    public void The_attribute_of_Mux_needs_no_other_library()
    {
        const string source = "[assembly: Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level300)] [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public System.Guid Id; } ";
        Assert.Contains("run.GuidText(10, ", GeneratorRun.Of(source + Service).GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void Two_attributes_that_say_the_same_are_one()
    {
        var source = Item($"[{Level}Level300), Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level300)]", string.Empty);
        var run = GeneratorRun.Of("using System; using ProtoBuf; " + source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Diagnostics);
        Assert.Contains("run.GuidText(10, ", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
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

    /// <summary>Where the level of a contract is declared, and that of values that are sent alone.</summary>
    public static TheoryData<string, string, string, string, string> SingleValues => new()
    {
        { "nothing", "", "", "BclGuid", "BclGuid" },
        { "the assembly", "[assembly: {0}Level300)]", "", "GuidText", "GuidText" },
        { "the contract", "[assembly: {0}Level200)]", "[{0}Level300)]", "GuidText", "GuidText" },
        { "the contract before the module", "[module: {0}Level300)]", "[{0}Level200)]", "BclGuid", "BclGuid" },
        { "the assembly for single values", "[assembly: {0}Level300, SingleValues = {1}Level200)]", "", "BclGuid", "GuidText" },
        { "the assembly for single values, though the contract has a level", "[assembly: {0}Level200, SingleValues = {1}Level200)]", "[{0}Level300)]", "BclGuid", "GuidText" },
        { "the contract for single values", "[assembly: {0}Level300)]", "[{0}NotSpecified, SingleValues = {1}Level200)]", "BclGuid", "GuidText" },
        { "the contract before the assembly", "[assembly: {0}Level300, SingleValues = {1}Level200)]", "[{0}NotSpecified, SingleValues = {1}Level300)]", "GuidText", "GuidText" },
        { "a contract that specifies nothing", "[assembly: {0}Level300, SingleValues = {1}Level200)]", "[{0}Level300, SingleValues = {1}NotSpecified)]", "BclGuid", "GuidText" },
    };

    [Theory]
    [MemberData(nameof(SingleValues))]
    public void A_value_that_is_sent_alone_has_the_level_of_its_contract_unless_one_is_declared_for_it(string where, string ofProject, string ofContract, string alone, string several)
    {
        var source = Levels(ofProject) + Levels(ofContract) + "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask<System.Collections.Generic.Dictionary<int, System.Guid>> Get(System.Guid id); System.Threading.Tasks.ValueTask Find(System.Guid id, int i); System.Collections.Generic.IAsyncEnumerable<System.Guid[]> All(); }";
        var run = GeneratorRun.Of(source);
        Assert.Empty(run.Mistakes);
        Assert.Empty(run.CompilerDiagnostics());
        var trees = run.GeneratedTrees.Where(static tree => tree.FilePath.EndsWith("_ValueCodec.g.cs", StringComparison.Ordinal) || tree.FilePath.EndsWith("_EntryCodec.g.cs", StringComparison.Ordinal));
        var codecs = trees.Select(static tree => tree.ToString()).Where(static codec => !codec.Contains("_EntryCodec.Write(", StringComparison.Ordinal)).ToList();
        Assert.Equal(3, codecs.Count);
        Assert.All(codecs, codec => Assert.True(codec.Contains($"{alone}(", StringComparison.Ordinal), $"{where}: {codec}"));
        Assert.True(run.GeneratedFile("IService_Service.g.cs").Contains($"{several}(10, ", StringComparison.Ordinal), where);
    }

    [Fact]
    public void Contracts_of_other_levels_share_no_codec_of_a_value_that_depends_on_them()
    {
        const string methods = "System.Threading.Tasks.ValueTask<int> Get(System.Guid id); System.Threading.Tasks.ValueTask All(System.Collections.Generic.List<(System.Guid, int)> all);";
        var source = Levels("[{0}Level300)]") + $"[Mux.MuxService(\"a\")] public interface IA {{ {methods} }} " + Levels("[{0}Level200)]") + $"[Mux.MuxService(\"b\")] public interface IB {{ {methods} }} "
            + Levels("[{0}Level300, SingleValues = {1}Level200)]") + $"[Mux.MuxService(\"c\")] public interface IC {{ {methods} }}";
        var run = GeneratorRun.Of(source);
        Assert.Empty(run.Mistakes);
        Assert.Empty(run.CompilerDiagnostics());
        Assert.Equal(3, run.GeneratedTrees.Count(static tree => tree.FilePath.Contains("System_Guid", StringComparison.Ordinal) && tree.FilePath.EndsWith("_ValueCodec.g.cs", StringComparison.Ordinal)));
        Assert.Single(run.GeneratedTrees, static tree => tree.FilePath.EndsWith("System_Int32_ValueCodec.g.cs", StringComparison.Ordinal));
    }

    [Fact]
    public void A_level_of_single_values_that_is_unknown_is_told()
    {
        var source = "[Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level300, SingleValues = (Mux.MuxCompatibilityLevel)250)] [Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask Get(System.Guid id); }";
        Assert.Equal("MUX0038", Assert.Single(GeneratorRun.Of(source).Diagnostics).Id);
    }

    [Theory]
    [InlineData("System.Threading.Tasks.ValueTask Get(System.Guid id);", "'id'")]
    [InlineData("System.Threading.Tasks.ValueTask<System.DateTime> Get();", "'Get'")]
    [InlineData("System.Collections.Generic.IAsyncEnumerable<decimal> Get();", "'Get'")]
    [InlineData("System.Threading.Tasks.ValueTask Get(int i, System.TimeSpan[] spans);", "'spans'")]
    public void A_missing_level_of_a_value_that_is_sent_alone_is_told_like_any_other(string method, string says)
    {
        var source = $"[Mux.MuxService(\"s\")] public interface IService {{ {method} }}";
        var told = Assert.Single(GeneratorRun.Of(source).Diagnostics);
        Assert.Equal(("MUX0039", DiagnosticSeverity.Info), (told.Id, told.Severity));
        Assert.Contains(says, told.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Empty(GeneratorRun.Of("[assembly: Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level200)] " + source).Diagnostics);
    }

    [Fact]
    public void A_declared_level_of_single_values_is_a_choice_and_is_not_told() =>
        Assert.Empty(GeneratorRun.Of(Levels("[assembly: {0}NotSpecified, SingleValues = {1}Level200)]") + "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask<System.DateTime> Get(System.Guid id); }").Diagnostics);

    [Theory]
    [InlineData(true, false, DiagnosticSeverity.Warning)]
    [InlineData(false, true, DiagnosticSeverity.Warning)]
    [InlineData(true, true, DiagnosticSeverity.Warning)]
    [InlineData(false, false, DiagnosticSeverity.Info)]
    public void A_missing_level_is_a_warning_where_the_project_records_or_can_show_its_contracts(bool isRecorded, bool isDescribed, DiagnosticSeverity severity)
    {
        var source = "namespace shop; [Mux.MuxService(\"shop.S\")] public interface IService { System.Threading.Tasks.ValueTask Get(System.Guid id); }";
        var recorded = ContractChange.Record(source);
        MetadataReference[] references = isDescribed ? [GeneratorRun.Compile("Mux.Description", [], string.Empty).ToMetadataReference()] : [];
        var run = GeneratorRun.Of(GeneratorRun.Compile("Sample", references, source), null, isRecorded ? [new ContractText("/src/Contracts/shop.proto", recorded)] : []);
        var told = Assert.Single(run.Diagnostics);
        Assert.Equal(("MUX0039", severity), (told.Id, told.Severity));
    }

    [Fact]
    public void A_file_beside_the_code_that_records_no_contract_makes_no_warning_of_a_missing_level()
    {
        var source = "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask Get(System.Guid id); }";
        var run = GeneratorRun.Of(GeneratorRun.Compile("Sample", [], source), null, [new ContractText("/src/notes.txt", "text"), new ContractText("/src/Contracts/other.proto", "syntax = \"proto3\"; message Other { }")]);
        Assert.Equal(DiagnosticSeverity.Info, Assert.Single(run.Diagnostics).Severity);
    }

    private static string Levels(string attribute) => string.Format(System.Globalization.CultureInfo.InvariantCulture, attribute.Length == 0 ? " " : attribute, "Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.", "Mux.MuxCompatibilityLevel.");

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
        Assert.All(forms, form => Assert.Contains($"run.{form}, ", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal));
    }

    [Fact]
    public void A_Guid_of_a_fixed_size_is_bytes_at_level_300()
    {
        var source = Item($"[{Level}Level300)]", string.Empty).Replace("ProtoMember(1", "ProtoMember(1, DataFormat = DataFormat.FixedSize", StringComparison.Ordinal);
        var run = GeneratorRun.Of("using System; using ProtoBuf; " + source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Diagnostics);
        Assert.Contains("run.GuidBytes(10, ", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_of_another_assembly_has_the_level_of_its_own_module()
    {
        using var image = new MemoryStream();
        var messages = GeneratorRun.Compile("Foreign", [], GeneratorRun.ProtoBufSource, $"using System; using ProtoBuf; [module: {Level}Level300)] " + Item(string.Empty, string.Empty).Replace(Service, string.Empty, StringComparison.Ordinal));
        Assert.True(messages.Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        var run = GeneratorRun.Of(GeneratorRun.Compile("Home", [MetadataReference.CreateFromImage(image.ToArray())], Service));
        Assert.Empty(run.Diagnostics);
        Assert.Contains("run.GuidText(10, ", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
    }

    private static string Item(string ofType, string ofMember, string? parent = null)
    {
        return $$"""{{ofType}} [ProtoContract] public class Item{{(parent is null ? string.Empty : " : " + parent)}} { [ProtoMember(1){{ofMember}}] public Guid Id { get; set; } } """ + Service;
    }
}
