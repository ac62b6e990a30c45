using System.Buffers;
using System.Text;
using System.Text.Json;
using Mux.Description.Reading;

namespace Mux.Description.Json;

/// <summary>Reads messages from JSON, one after the other: objects, lists and maps.</summary>
internal sealed class MessageParser
{
    /// <summary>Depth of JSON: each message may be in a list or map.</summary>
    public const int MaxJsonDepth = 2 * DescriptionLimits.Depth;

    private static readonly JsonReaderOptions s_settings = new() { MaxDepth = MaxJsonDepth };

    private readonly MessageJsonOptions _options;
    private readonly SeenFields _seen = new();
    private readonly MapKeys _keys = new();
    private readonly ScalarParser _scalars;

    public MessageParser(MessageJsonOptions options)
    {
        _options = options;
        Buffer = new MessageBuffer(options.MaxMessageBytes);
        _scalars = new ScalarParser(options, Buffer);
    }

    public JsonPath Path { get; } = new();

    public MessageBuffer Buffer { get; }

    public ContractSet? AnyTypes => _options.AnyTypes;

    public void Parse(JsonType type, ReadOnlySpan<byte> json, IBufferWriter<byte> message)
    {
        Path.Clear();
        if (json.Length > _options.MaxJsonBytes) JsonFault.Throw($"has {json.Length} bytes; allowed are {_options.MaxJsonBytes}");
        var reader = new Utf8JsonReader(json, s_settings);
        reader.Read();
        ReadMessage(ref reader, type);
        if (reader.Read()) JsonFault.Throw("is followed by more JSON; allowed is one value");
        message.Write(Buffer.Written);
        Buffer.Clear();
        _scalars.Clear();
        _seen.Clear();
        _keys.Clear();
    }

    /// <summary>Finds out why a JSON was refused: because it is too deep, or because it is none.</summary>
    public static bool IsTooDeep(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = MaxJsonDepth + 1 });
        try
        {
            while (reader.Read())
            {
                if (reader.CurrentDepth > MaxJsonDepth - 1 && reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray) return true;
            }
        }
        catch (JsonException)
        {
            // Bad JSON before it is too deep.
        }

        return false;
    }

    /// <summary>Reads a message without what is around it. The reader is at its first token, and then at its last.</summary>
    public void ReadMessage(ref Utf8JsonReader reader, JsonType type)
    {
        Path.EnterMessage();
        if (type.WellKnown != WellKnown.None) WellKnownParser.Read(this, ref reader, type);
        else
        {
            Expect(ref reader, JsonTokenType.StartObject);
            ReadFields(ref reader, type, isAny: false);
        }

        Path.LeaveMessage();
    }

    /// <summary>Reads what is in an object.</summary>
    /// <param name="reader">At its beginning, and then at its end.</param>
    /// <param name="type">The message.</param>
    /// <param name="isAny">True if the object also has a type.</param>
    public void ReadFields(ref Utf8JsonReader reader, JsonType type, bool isAny)
    {
        int seen = _seen.Begin(type.Fields.Length + type.OneofCount + 1);
        int expected = 0;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (Find(ref reader, type, expected) is not { } field)
            {
                if (!isAny || !reader.ValueTextEquals("@type"u8)) SkipUnknown(ref reader, type);
                else if (!_seen.TryAdd(seen, type.Fields.Length + type.OneofCount)) JsonFault.Throw("has '@type' twice; allowed is once");
                else reader.Skip();
                continue;
            }

            expected = field.Slot + 1;
            Path.EnterField(field);
            if (!_seen.TryAdd(seen, field.Slot)) JsonFault.Throw("is there twice; allowed is once");
            reader.Read();
            bool isAbsent = reader.TokenType == JsonTokenType.Null && (field.IsRepeated || !field.AcceptsNull);
            if (!isAbsent)
            {
                if (field.Oneof >= 0 && !_seen.TryAdd(seen, type.Fields.Length + field.Oneof))
                    JsonFault.Throw($"is beside another field of the oneof '{field.Field.Oneof}'; allowed is one of them");
                ReadField(ref reader, field);
            }

            Path.Leave();
        }

        _seen.End(seen);
    }

    /// <summary>Skips the value of a name that the type does not have.</summary>
    public void SkipUnknown(ref Utf8JsonReader reader, JsonType type)
    {
        if (!_options.IgnoreUnknown)
        {
            var known = NearName.Describe(Encoding.UTF8.GetString(reader.ValueSpan), [.. type.Fields.Select(static field => field.Field.JsonName)]);
            var fields = known.Length == 0 ? ", which has none" : $": {known}";
            JsonFault.Throw($"has the name {JsonPath.Quote(reader.ValueSpan)}; allowed are the fields of '{type.Message.FullName}'{fields}");
        }

        reader.Skip();
    }

    /// <summary>Reads all values of a field.</summary>
    public void ReadField(ref Utf8JsonReader reader, JsonField field)
    {
        if (field.IsMap) ReadMap(ref reader, field);
        else if (field.IsRepeated) ReadList(ref reader, field);
        else ReadItem(ref reader, field, canBeAbsent: !field.HasPresence);
    }

    public ReadOnlySpan<byte> ReadText(ref Utf8JsonReader reader, string allowed) => _scalars.ReadText(ref reader, allowed);

    public static void Expect(ref Utf8JsonReader reader, JsonTokenType token)
    {
        if (reader.TokenType != token) JsonFault.Throw($"is {ScalarParser.NameOf(reader.TokenType)}; allowed is {ScalarParser.NameOf(token)}");
    }

    private JsonField? Find(ref Utf8JsonReader reader, JsonType type, int expected)
    {
        if (expected < type.Fields.Length && reader.ValueTextEquals(type.Fields[expected].Name.EncodedUtf8Bytes)) return type.Fields[expected];
        return _scalars.TryReadName(ref reader, out var name) ? type.Find(name) : null;
    }

    // A value of zero without presence is absent.
    private void ReadItem(ref Utf8JsonReader reader, JsonField field, bool canBeAbsent)
    {
        int start = Buffer.Length;
        Buffer.WriteVarint(field.Tag);
        if (!TryReadValue(ref reader, field, canBeAbsent)) Buffer.Truncate(start);
    }

    private bool TryReadValue(ref Utf8JsonReader reader, JsonField field, bool canBeAbsent)
    {
        switch (field.Kind)
        {
            case FieldKind.Message:
                int start = Buffer.Begin();
                ReadMessage(ref reader, field.Type);
                Buffer.End(start);
                return true;
            case FieldKind.Group:
                ReadMessage(ref reader, field.Type);
                Buffer.WriteVarint(field.Tag + 1);
                return true;
            default:
                return _scalars.TryRead(ref reader, field, canBeAbsent);
        }
    }

    private void ReadList(ref Utf8JsonReader reader, JsonField field)
    {
        Expect(ref reader, JsonTokenType.StartArray);
        int before = Buffer.Length;
        int start = 0;
        if (field.Field.IsPacked)
        {
            Buffer.WriteVarint(field.PackedTag);
            start = Buffer.Begin();
        }

        Path.EnterItem();
        for (int index = 0; reader.Read() && reader.TokenType != JsonTokenType.EndArray; index++)
        {
            Path.SetItem(index);
            if (reader.TokenType == JsonTokenType.Null && !field.AcceptsNull) JsonFault.Throw("is null; allowed are values");
            if (field.Field.IsPacked) _scalars.TryRead(ref reader, field, canBeAbsent: false);
            else ReadItem(ref reader, field, canBeAbsent: false);
        }

        Path.Leave();
        if (!field.Field.IsPacked) return;
        if (Buffer.Length == start) Buffer.Truncate(before);
        else Buffer.End(start);
    }

    private void ReadMap(ref Utf8JsonReader reader, JsonField field)
    {
        Expect(ref reader, JsonTokenType.StartObject);
        int start = Buffer.Length;
        Path.EnterItem();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            Path.SetKey(reader.TokenStartIndex + 1, reader.ValueSpan.Length);
            int entry = Buffer.Length;
            Buffer.WriteVarint(field.Tag);
            int content = Buffer.Begin();
            Buffer.WriteVarint(field.MapKey.Tag);
            _scalars.ReadKey(ref reader, field.MapKey);
            reader.Read();
            if (reader.TokenType == JsonTokenType.Null && !field.MapValue.AcceptsNull) JsonFault.Throw("is null; allowed are values");
            Buffer.WriteVarint(field.MapValue.Tag);
            if (TryReadValue(ref reader, field.MapValue, canBeAbsent: false)) Buffer.End(content);
            else Buffer.Truncate(entry);
        }

        Path.Leave();
        CheckKeys(field, Buffer.Written[start..]);
    }

    private void CheckKeys(JsonField field, ReadOnlySpan<byte> entries)
    {
        _keys.Clear();
        var scan = new WireScan(entries);
        uint tag;
        while ((tag = scan.ReadTag()) != 0)
        {
            int position = scan.Position;
            _keys.Add(MapEntry.Read(field, scan.ReadBlock(tag)), position);
        }

        if (_keys.FindSuperseded(field, entries) is { } twice) JsonFault.Throw($"has the key of entry {twice.IndexOf(true)} twice; allowed is once");
    }
}
