namespace Mux.Description.Json;

/// <summary>A message, prepared for JSON.</summary>
internal sealed class JsonType
{
    private const int MaxDense = 256;

    private readonly JsonField?[] _dense;
    private readonly Dictionary<int, JsonField> _byNumber = [];
    private readonly Dictionary<string, JsonField>.AlternateLookup<ReadOnlySpan<char>> _byName;

    public JsonType(MessageType message)
    {
        Message = message;
        var oneofs = new Dictionary<string, int>(StringComparer.Ordinal);
        _dense = new JsonField?[message.Fields.Count == 0 ? 0 : Math.Min(message.Fields[^1].Number + 1, MaxDense)];
        Fields = new JsonField[message.Fields.Count];
        var names = new Dictionary<string, JsonField>(StringComparer.Ordinal);
        for (int i = 0; i < Fields.Length; i++)
        {
            var field = message.Fields[i];
            int oneof = -1;
            if (field.Oneof is { } name && !oneofs.TryGetValue(name, out oneof)) oneofs.Add(name, oneof = oneofs.Count);

            var prepared = Fields[i] = new JsonField(field, i, oneof);
            if (field.Number < _dense.Length) _dense[field.Number] = prepared;
            else _byNumber.Add(field.Number, prepared);
            names.TryAdd(field.JsonName, prepared);
        }

        // Where the name of one field is the JSON name of another, the JSON name wins.
        foreach (var field in Fields) names.TryAdd(field.Field.Name, field);
        _byName = names.GetAlternateLookup<ReadOnlySpan<char>>();
        OneofCount = oneofs.Count;
        WellKnown = WellKnownTypes.Of(message);
    }

    public MessageType Message { get; }

    /// <summary>Gets the fields by number.</summary>
    public JsonField[] Fields { get; }

    public int OneofCount { get; }

    public WellKnown WellKnown { get; }

    public JsonField? Find(uint number) => number < (uint)_dense.Length ? _dense[number] : _byNumber.GetValueOrDefault((int)number);

    public JsonField? Find(ReadOnlySpan<char> name) => _byName.TryGetValue(name, out var field) ? field : null;
}
