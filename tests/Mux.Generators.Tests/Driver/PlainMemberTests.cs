using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>
/// The generator reads the numbers of most members from their code, without the compiler. A number in parentheses is not read so, and means the same: what is generated, and what is said of the
/// contract, must not differ.
/// </summary>
public sealed class PlainMemberTests
{
    private const string Usings = "using System; using System.Collections.Generic; using System.ComponentModel; using System.Runtime.Serialization; using System.Threading.Tasks; using Mux;\n";
    private const string Other = "[AttributeUsage(AttributeTargets.All)] public sealed class DataMemberAttribute : Attribute { public int Order { get; set; } }";

    /// <summary>What surrounds members, with their numbers between bars.</summary>
    public static TheoryData<string, string> Sources => new()
    {
        { "properties, fields and positions", "[DataContract] public class Item { [DataMember(Order = |2|)] public int A { get; set; } [DataMember(Order = |1|)] public string? B; [DataMember(Order = |3|)] private long _c, _d; public int E { get; set; } } [DataContract] public record Part([property: DataMember(Order = |1|)] Item? Item, [property: DataMember(Order = |2|)] int Number);" },
        { "a struct with an initializer", "[DataContract] public struct Item { public Item() { } [DataMember(Order = |1|)] public List<int> A { get; set; } = new(); [DataMember(Order = |2|)] public DateTime B { get; } = default; }" },
        { "a type of its own with the name of the attribute", $"[DataContract] public class Item {{ [DataMember(Order = |1|)] public int A {{ get; set; }} {Other} }}" },
        { "such a type in a base", $"public class Root {{ {Other} }} [DataContract] public class Item : Root {{ [DataMember(Order = |1|)] public int A {{ get; set; }} }}" },
        { "such a type around it", $"public static class Outer {{ {Other} [DataContract] public class Item {{ [DataMember(Order = |1|)] public int A {{ get; set; }} }} }} [DataContract] public class Item {{ [DataMember(Order = |1|)] public Outer.Item? A {{ get; set; }} }}" },
        { "such a type in one of two namespaces", $"namespace One {{ {Other} [DataContract] public class Part {{ [DataMember(Order = |1|)] public int A {{ get; set; }} }} }} namespace Two {{ [DataContract] public class Part {{ [DataMember(Order = |1|)] public int A {{ get; set; }} }} }} [DataContract] public class Item {{ [DataMember(Order = |1|)] public One.Part? A {{ get; set; }} [DataMember(Order = |2|)] public Two.Part? B {{ get; set; }} }}" },
        { "an alias", "namespace Aliased { using Member = DataMemberAttribute; [DataContract] public class Part { [Member(Order = |1|)] public int A { get; set; } } } [DataContract] public class Item { [DataMember(Order = |1|)] public Aliased.Part? A { get; set; } }" },
        { "an alias that means something else", $"namespace Elsewhere {{ {Other} }} namespace Aliased {{ using DataMember = Elsewhere.DataMemberAttribute; [DataContract] public class Part {{ [DataMember(Order = |1|)] public int A {{ get; set; }} }} }} [DataContract] public class Item {{ [DataMember(Order = |1|)] public Aliased.Part? A {{ get; set; }} }}" },
        { "more attributes", "[DataContract] public class Item { [DataMember(Order = |1|), DefaultValue(5)] public int A { get; set; } = 5; [Obsolete] [DataMember(Order = |2|)] public int B { get; set; } [IgnoreDataMember, DataMember(Order = |3|)] public int C { get; set; } [DataMember(Order = |4|, IsRequired = true)] public int D { get; set; } [DataMember(Name = \"e\", Order = |5|)] public int E { get; set; } }" },
        { "attributes of the hidden field", "[DataContract] public class Item { [field: NonSerialized] [DataMember(Order = |1|)] public int A { get; set; } [field: DataMember(Order = |2|)] public int B { get; set; } [DataMember(Order = |3|)] public int C { get; set; } }" },
        { "an attribute of the parameter", "[DataContract] public record Item([DataMember(Order = |1|)] int A, [property: DataMember(Order = |2|)] int B, [field: DataMember(Order = |3|)] int C);" },
        { "numbers that are none", "[DataContract] public class Item { [DataMember(Order = |0|)] public int A { get; set; } [DataMember(Order = |536870912|)] public int B { get; set; } [DataMember(Order = |3|)] public int C { get; set; } [DataMember(Order = |3|)] public int D { get; set; } }" },
        { "partial properties", "[DataContract] public partial class Item { [DataMember(Order = |1|)] public partial int A { get; set; } [DataMember(Order = |2|)] public int B { get; set; } } public partial class Item { [DefaultValue(7)] public partial int A { get => 7; set { } } }" },
        { "statics and indexers", "[DataContract] public class Item { [DataMember(Order = |1|)] public static int A { get; set; } [DataMember(Order = |2|)] public int this[int i] => i; [DataMember(Order = |3|)] public int C { get; set; } }" },
        { "levels and conditions", "[DataContract, MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)] public class Item { [DataMember(Order = |1|)] public DateTime A { get; set; } [DataMember(Order = |2|)] public Guid B { get; set; } public bool ShouldSerializeB() => true; [DataMember(Order = |3|)] public Dictionary<string, decimal>? C { get; set; } }" },
        { "a type without a contract", "public class Item { [DataMember(Order = |1|)] public int A { get; set; } }" },
        { "generic and derived types", "[DataContract] public class Item : Part<int> { [DataMember(Order = |1|)] public Part<string>? A { get; set; } } [DataContract] public class Part<T> { [DataMember(Order = |1|)] public T? Value { get; set; } }" },
    };

    [Theory]
    [MemberData(nameof(Sources))]
    public void A_number_that_is_read_from_the_code_means_what_the_compiler_reads(string what, string source)
    {
        var plain = Run(source.Replace("|", string.Empty, StringComparison.Ordinal));
        var bound = Run(System.Text.RegularExpressions.Regex.Replace(source, @"\|(\d+)\|", "($1)"));

        Assert.True(plain.Files.Count + plain.Said.Count > 0, what);
        Assert.Equal(bound.Files, plain.Files);
        Assert.Equal(bound.Said, plain.Said);
    }

    private static (List<string> Files, List<string> Said) Run(string types)
    {
        var run = GeneratorRun.Of(Usings + types + "\n[MuxService(\"s\")] public interface IService { ValueTask<Item> Get(Item item); }");
        return ([.. run.GeneratedTrees.Select(tree => tree.ToString())], [.. run.Diagnostics.Select(diagnostic => $"{diagnostic.Id} {diagnostic.GetMessage(null)}")]);
    }
}
