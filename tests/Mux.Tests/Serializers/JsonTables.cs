namespace Mux.Tests.Serializers;

/// <summary>Hash tables of integers at many places.</summary>
public sealed class JsonTables
{
    public Dictionary<long, int>? Longs { get; set; }

    public IReadOnlyDictionary<int, int>? Ints { get; set; }

    public HashSet<ulong>? Set { get; set; }

    public Dictionary<string, int>? Names { get; set; }

    public List<JsonTables>? Inner { get; set; }

    public List<long>? List { get; set; }
}
