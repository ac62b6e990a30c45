using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;

namespace Mux.Description.Json;

/// <summary>Writes messages as JSON, one after the other.</summary>
internal sealed class MessageFormatter
{
    private readonly MessageJsonOptions _options;
    private int _joined; // bytes of merged messages that are being written, in each other
    private readonly FieldRuns _runs = new();
    private readonly MapKeys _keys = new();

    public MessageFormatter(MessageJsonOptions options)
    {
        _options = options;
        var settings = new JsonWriterOptions { Indented = options.Indented, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };
        Json = new Utf8JsonWriter(Nowhere.Instance, settings);
    }

    public JsonPath Path { get; } = new();

    public Utf8JsonWriter Json { get; }

    public ContractSet? AnyTypes => _options.AnyTypes;

    public void Format(JsonType type, ReadOnlySpan<byte> message, IBufferWriter<byte> json)
    {
        Path.Clear();
        if (message.Length > _options.MaxMessageBytes) JsonFault.Throw($"has {message.Length} bytes; allowed are {_options.MaxMessageBytes}");
        Json.Reset(json);
        WriteMessage(type, message);
        Json.Flush();
    }

    /// <summary>Lets go of the writer it wrote to.</summary>
    public void Clear()
    {
        _runs.Clear();
        _joined = 0;
        _keys.Clear();
        Json.Reset(Nowhere.Instance);
    }

    public void WriteMessage(JsonType type, ReadOnlySpan<byte> bytes)
    {
        Path.EnterMessage();
        if (type.WellKnown != WellKnown.None) WellKnownFormatter.Write(this, type, bytes);
        else
        {
            Json.WriteStartObject();
            WriteFields(type, bytes);
            Json.WriteEndObject();
        }

        Path.LeaveMessage();
        CheckSize();
    }

    /// <summary>Writes the fields of a message into the object that was begun.</summary>
    public void WriteFields(JsonType type, ReadOnlySpan<byte> bytes)
    {
        int start = _runs.Add(type, bytes, out int end);
        int absent = 0;
        for (int run = start; run < end;)
        {
            int slot = _runs.SlotOf(run);
            int next = run + 1;
            while (next < end && _runs.SlotOf(next) == slot) next++;
            if (_options.WriteDefaults) WriteDefaults(type, absent, slot);
            absent = slot + 1;
            var field = type.Fields[slot];
            Path.EnterField(field);
            WriteField(field, new FieldValues(_runs, run, next, field, bytes));
            Path.Leave();
            run = next;
        }

        if (_options.WriteDefaults) WriteDefaults(type, absent, type.Fields.Length);
        _runs.Remove(start);
    }

    /// <summary>Writes the value of the only field that a message has, without a name.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryWriteLone(JsonType type, ReadOnlySpan<byte> bytes)
    {
        int start = _runs.Add(type, bytes, out int end);
        if (start != end)
        {
            var field = type.Fields[_runs.SlotOf(start)];
            var values = new FieldValues(_runs, start, end, field, bytes);
            if (field.IsMap) WriteMap(field, values);
            else if (field.IsRepeated) WriteList(field, values, isNamed: false);
            else if (field.IsMessage) WriteSingle(field, values);
            else WriteScalar(field, ref values, isNamed: false);
        }

        _runs.Remove(start);
        return start != end;
    }

    /// <summary>Writes a number, as the wire has it.</summary>
    public void WriteNumber(JsonField field, ulong raw) => NumberFormatter.Write(Json, field, Scalars.Normalize(field.Kind, raw));

    public void WriteText(ReadOnlySpan<byte> text)
    {
        CheckText(text);
        Json.WriteStringValue(text);
    }

    public void CheckSize()
    {
        if (Json.BytesCommitted + Json.BytesPending > _options.MaxJsonBytes)
            JsonFault.Throw($"makes the JSON larger than allowed; allowed are {_options.MaxJsonBytes} bytes");
    }

    private static void CheckText(ReadOnlySpan<byte> text)
    {
        if (!Utf8.IsValid(text)) JsonFault.Throw("is not UTF-8");
    }

    private void WriteName(JsonField field) => Json.WritePropertyName(_options.UseFieldNames ? field.FieldName : field.Name);

    private void WriteField(JsonField field, FieldValues values)
    {
        if (field.IsMap)
        {
            WriteName(field);
            WriteMap(field, values);
        }
        else if (field.IsRepeated) WriteList(field, values, isNamed: true);
        else if (field.IsMessage)
        {
            WriteName(field);
            WriteSingle(field, values);
        }
        else WriteScalar(field, ref values, isNamed: true);
    }

    private void WriteScalar(JsonField field, scoped ref FieldValues values, bool isNamed)
    {
        bool isNumber = Scalars.IsNumber(field.Kind);
        ulong raw = 0;
        var block = default(ReadOnlySpan<byte>);
        while (values.MoveNext())
        {
            if (isNumber) raw = values.ReadNumber();
            else block = values.ReadBlock();
        }

        if (isNamed)
        {
            bool isZero = isNumber ? Scalars.Normalize(field.Kind, raw) == 0 : block.IsEmpty;
            if (isZero && !field.HasPresence && !_options.WriteDefaults) return;
            WriteName(field);
        }

        if (isNumber) WriteNumber(field, raw);
        else WriteBlock(field, block);
    }

    private void WriteBlock(JsonField field, ReadOnlySpan<byte> block)
    {
        if (field.Kind == FieldKind.String) WriteText(block);
        else if (field.Kind == FieldKind.Bytes) Json.WriteBase64StringValue(block);
        else WriteMessage(field.Type, block);
    }

    // Messages that follow each other are one message: merging them is reading their bytes in a row.
    private void WriteSingle(JsonField field, FieldValues values)
    {
        values.MoveNext();
        var first = values.ReadBlock();
        if (!values.MoveNext())
        {
            WriteMessage(field.Type, first);
            return;
        }

        var joined = new ArrayBufferWriter<byte>(2 * first.Length + 16);
        joined.Write(first);
        do joined.Write(values.ReadBlock());
        while (values.MoveNext());
        _joined += joined.WrittenCount;
        if (_joined > _options.MaxMessageBytes)
            JsonFault.Throw($"has parts to merge, in each other, of more than {_options.MaxMessageBytes} bytes, which are allowed");
        WriteMessage(field.Type, joined.WrittenSpan);
        _joined -= joined.WrittenCount;
    }

    private void WriteList(JsonField field, FieldValues values, bool isNamed)
    {
        int index = -1;
        Path.EnterItem();
        while (values.MoveNext())
        {
            if (values.IsBlock)
            {
                var block = new WireScan(values.ReadBlock());
                while (!block.IsAtEnd)
                {
                    BeginItem(field, ++index, isNamed);
                    WriteNumber(field, block.ReadNumber(field.Tag & 7));
                }

                continue;
            }

            BeginItem(field, ++index, isNamed);
            if (Scalars.IsNumber(field.Kind)) WriteNumber(field, values.ReadNumber());
            else WriteBlock(field, values.ReadBlock());
        }

        Path.Leave();
        if (index >= 0) Json.WriteEndArray();
        else if (!isNamed) WriteEmptyList();
        else if (_options.WriteDefaults)
        {
            WriteName(field);
            WriteEmptyList();
        }
    }

    private void BeginItem(JsonField field, int index, bool isNamed)
    {
        if (index == 0)
        {
            if (isNamed) WriteName(field);
            Json.WriteStartArray();
        }

        Path.SetItem(index);
        CheckSize();
    }

    private void WriteMap(JsonField field, FieldValues values)
    {
        var superseded = FindSuperseded(field, values);
        Json.WriteStartObject();
        Path.EnterItem();
        for (int index = 0; values.MoveNext(); index++)
        {
            Path.SetItem(index);
            var bytes = values.ReadBlock();
            if (superseded?[index] == true) continue;
            var entry = MapEntry.Read(field, bytes);
            WriteKey(field.MapKey.Kind, entry);
            var value = field.MapValue;
            if (value.IsMessage && entry.Values > 1) WriteMerged(field, bytes);
            else if (Scalars.IsNumber(value.Kind)) WriteNumber(value, entry.Value);
            else WriteBlock(value, entry.Block);
            CheckSize();
        }

        Path.Leave();
        Json.WriteEndObject();
    }

    private bool[]? FindSuperseded(JsonField field, FieldValues values)
    {
        _keys.Clear();
        int count = 0;
        while (values.MoveNext())
        {
            int position = values.Position;
            _keys.Add(MapEntry.Read(field, values.ReadBlock()), position);
            count++;
        }

        return count > 1 ? _keys.FindSuperseded(field, values.Message) : null;
    }

    private void WriteMerged(JsonField map, ReadOnlySpan<byte> entry)
    {
        int start = _runs.Add(map.Type, entry, out int end);
        int first = start;
        while (_runs.SlotOf(first) != map.MapValue.Slot) first++;
        WriteSingle(map.MapValue, new FieldValues(_runs, first, end, map.MapValue, entry));
        _runs.Remove(start);
    }

    private void WriteKey(FieldKind kind, scoped in MapEntry entry)
    {
        if (kind == FieldKind.String)
        {
            CheckText(entry.Text);
            Json.WritePropertyName(entry.Text);
        }
        else if (kind == FieldKind.Bool) Json.WritePropertyName(entry.Key != 0 ? "true"u8 : "false"u8);
        else NumberFormatter.WriteName(Json, kind, entry.Key);
    }

    private void WriteDefaults(JsonType type, int slot, int end)
    {
        for (; slot < end; slot++)
        {
            var field = type.Fields[slot];
            if (field.HasPresence) continue;
            WriteName(field);
            if (field.IsMap)
            {
                Json.WriteStartObject();
                Json.WriteEndObject();
            }
            else if (field.IsRepeated) WriteEmptyList();
            else if (Scalars.IsNumber(field.Kind)) WriteNumber(field, 0);
            else Json.WriteStringValue(default(ReadOnlySpan<byte>));
            CheckSize();
        }
    }

    private void WriteEmptyList()
    {
        Json.WriteStartArray();
        Json.WriteEndArray();
    }
}
