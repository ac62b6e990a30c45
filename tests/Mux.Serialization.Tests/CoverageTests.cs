using System.Text.RegularExpressions;
using Mux.Serialization.Oracles.Shapes;

namespace Mux.Serialization.Tests;

/// <summary>Whatever docs/contracts.md says of messages is compared with Google's library, or stands here with the reason why it cannot be.</summary>
public sealed partial class CoverageTests
{
    private static readonly Dictionary<string, string[]> s_shapesOf = new()
    {
        ["bool"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["sbyte short int"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["byte ushort uint"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["long nint"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["ulong nuint"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["char"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["enum of any underlying type"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["float, double"] = ["Numbers", "OptionalNumbers", "NumberLists", "PackedNumbers"],
        ["string"] = ["Texts"],
        ["byte[]"] = ["Texts"],
        ["Memory<byte> ReadOnlyMemory<byte> ArraySegment<byte>"] = ["ModernValues"],
        ["Guid"] = ["ModernValues", "MiddleValues", "OldValues"],
        ["decimal"] = ["ModernValues", "MiddleValues", "OldValues"],
        ["DateTime"] = ["ModernValues", "MiddleValues", "OldValues", "GroupedTimes"],
        ["TimeSpan"] = ["ModernValues", "MiddleValues", "OldValues", "GroupedTimes"],
        ["DateOnly"] = ["ModernValues"],
        ["TimeOnly"] = ["ModernValues"],
        ["200, as protobuf-net always did"] = ["OldValues"],
        ["240"] = ["MiddleValues"],
        ["300"] = ["ModernValues"],
        ["Uri"] = ["ModernValues"],
        ["message (class, record)"] = ["Branch", "Groups", "Link", "Page"],
        ["message (struct)"] = ["Branch"],
        ["T? of a number, enum, struct or other value type"] = ["OptionalNumbers", "Branch", "ModernValues", "OldValues"],
        ["[collections] of any of these"] = ["NumberLists", "Texts", "Branch", "Groups", "Collections"],
        ["the same with IsPacked = true, for numbers, bools, chars and enums, but no native integers"] = ["PackedNumbers", "Collections"],
        ["[maps]"] = ["Maps", "Pairs", "RootMap"],

        ["List<T>, classes derived from it, T[]"] = ["NumberLists", "Collections", "RootNumbers", "RootTexts"],
        ["IEnumerable<T>, ICollection<T>, IList<T>, IReadOnlyCollection<T>, IReadOnlyList<T>"] = ["Collections"],
        ["HashSet<T>, classes derived from it, SortedSet<T>"] = ["Collections"],
        ["ISet<T>, IReadOnlySet<T>"] = ["Collections"],
        ["LinkedList<T>, Queue<T>, Collection<T>, ObservableCollection<T>"] = ["Collections"],
        ["Stack<T>: written from its top, and back in the same order"] = ["Stacks"],
        ["ConcurrentQueue<T>, ConcurrentStack<T>, ConcurrentBag<T>"] = ["Collections", "Stacks"],
        ["ImmutableArray<T> (a default one is written as an empty one), ImmutableList<T>, ImmutableHashSet<T>, ImmutableSortedSet<T>, ImmutableQueue<T>, ImmutableStack<T>, and the interfaces of these"] = ["Collections", "Stacks"],
        ["classes that implement ICollection<T> and have a public constructor without parameters"] = ["Collections"],
        ["Dictionary<TKey, TValue>, classes derived from it"] = ["Maps"],
        ["SortedDictionary, SortedList, ConcurrentDictionary, and classes that implement IDictionary<TKey, TValue> and have a public constructor without parameters"] = ["Maps"],
        ["IDictionary<TKey, TValue>, IReadOnlyDictionary<TKey, TValue>"] = ["Maps"],
        ["ImmutableDictionary, ImmutableSortedDictionary, IImmutableDictionary"] = ["Maps"],
        ["[NullWrappedValue] on a nullable number, enum, string, byte[], DateOnly, TimeOnly or what level 300 writes as text"] = ["Nulls"],
        ["[NullWrappedValue] on a collection"] = ["Nulls"],
        ["[NullWrappedValue] on a map"] = ["Nulls"],
        ["[NullWrappedCollection]"] = ["Nulls"],
        ["AsGroup = true with either"] = ["GroupedNulls"],

        ["IsRequired = true"] = ["RequiredNumbers"],
        ["[DefaultValue(v)]"] = ["Defaults", "RequiredNumbers"],
        ["[ProtoContract(IsGroup = true)]"] = ["Groups"],
        ["inheritance"] = ["Animal"],
        ["tuples"] = ["Tuples"],
        ["surrogates"] = ["Surrogates"],
        ["conditional members"] = ["Conditions"],
        ["unknown fields"] = ["Keeping"],
    };

    private static readonly Dictionary<string, string> s_notInGooglesWorld = new()
    {
        ["OverwriteList = true"] = "lists grow",
        ["[DefaultValue(\"Gold\")]"] = "another way to say [DefaultValue(v)]",
        ["Options = MemberSerializationOptions.Required, Packed, OverwriteList"] = "another way to say IsRequired, IsPacked and OverwriteList",
        ["[ProtoContract(SkipConstructor = true)]"] = "how objects are made",
        ["[ProtoContract(IgnoreUnknownSubTypes = true)]"] = "there are no derived messages",
        ["[ProtoContract(UseProtoMembersOnly = true)]"] = "which attributes count",
        ["[ProtoContract(IgnoreListHandling = true)]"] = "which types are messages",
        ["[ProtoIgnore]"] = "which members are fields",
        ["[CompatibilityLevel]"] = "how values of .NET are written: see there",
        ["[ProtoReserved], Name, Origin"] = "no effect",
        ["[KnownType], [ProtoEnum(Name = ...)]"] = "no effect",
        ["[ProtoPartialMember(n, \"Member\", ...)] at the type"] = "where a number stands; on the wire it is the same",
        ["[ProtoPartialIgnore(\"Member\")] at the type"] = "where a number stands; on the wire it is the same",
        ["[ProtoContract(DataMemberOffset = n)]"] = "where a number stands; on the wire it is the same",
        ["[XmlType] with [XmlElement(Order = n)] or [XmlArray(Order = n)]"] = "where a number stands; on the wire it is the same",
        ["[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)]"] = "where a number stands; on the wire it is the same",
        ["ImplicitFields.AllFields"] = "where a number stands; on the wire it is the same",
        ["[ProtoContract(InferTagFromName = true)]"] = "where a number stands; on the wire it is the same",
        ["callbacks"] = "nothing on the wire",
    };

    [Fact]
    public void Every_row_about_messages_is_compared_or_is_not_of_Googles_world()
    {
        var named = s_shapesOf.Keys.Concat(s_notInGooglesWorld.Keys);
        Assert.Equal(Rows().Distinct().Order(StringComparer.Ordinal), named.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_shape_belongs_to_a_row_and_every_row_to_shapes()
    {
        string[] travelling = ["RootNumber"]; // of the table of what travels
        var named = s_shapesOf.Values.SelectMany(static shapes => shapes).Concat(travelling).Distinct();
        Assert.Equal(ShapeCatalog.All.Select(static shape => shape.Name).Order(StringComparer.Ordinal), named.Order(StringComparer.Ordinal));
    }

    // The first cells of all tables between the headings of messages and of the differences, less the marks of code and the targets of links. Some go on in rows without one.
    private static IEnumerable<string> Rows()
    {
        var document = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "contracts.md"));
        int from = document.IndexOf("\n## Messages", StringComparison.Ordinal);
        int to = document.IndexOf("\n## Differences", StringComparison.Ordinal);
        return Row().Matches(document[from..to]).Select(static row => Target().Replace(row.Groups[1].Value.Replace("`", string.Empty, StringComparison.Ordinal).Trim(), "]")).Where(static row => row.Length > 0);
    }

    // Neither the headings of a table, which stand above a line of dashes, nor that line.
    [GeneratedRegex(@"^\|((?!-)[^|]*)\|.*$(?!\n\|-)", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@"\]\(#[^)]*\)")]
    private static partial Regex Target();
}
