using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Wire;

/// <summary>
/// Writes a message in another of the many ways that say the same: fields in any order, lists in blocks or not or in part, messages in two parts that are merged, values that a later one
/// replaces, numbers in too many bytes, and fields that nobody knows in between.
/// </summary>
internal sealed class EquivalentEncoding(Random random)
{
    private const int UnknownNumbers = 1_000_000;

    /// <param name="message">Written as it should be.</param>
    /// <param name="descriptor">What it is.</param>
    public byte[] Rewrite(ReadOnlySpan<byte> message, MessageDescriptor descriptor) => Write(Rewrite(WireReading.Read(message), descriptor), descriptor);

    private byte[] Write(IEnumerable<WireField> fields, MessageDescriptor descriptor)
    {
        var writing = new WireWriting(random);
        writing.Write(fields, number => descriptor.FindFieldByNumber(number) is { } field && FieldForms.IsNarrow(field));
        return writing.ToArray();
    }

    private List<WireField> Rewrite(List<WireField> fields, MessageDescriptor descriptor)
    {
        // The order within a field is what makes a list, and what decides which value is the last.
        var rows = fields.GroupBy(static field => field.Number)
            .Select(row => new Queue<WireField>(Rewrite([.. row], descriptor.FindFieldByNumber(row.Key))))
            .ToList();
        var mixed = new List<WireField>();
        while (rows.Count > 0)
        {
            if (random.Next(6) == 0) mixed.Add(Unknown(depth: 0));
            var row = rows[random.Next(rows.Count)];
            var next = row.Dequeue();

            // protobuf-net does not read a block directly behind a single item, nor do we.
            if (mixed.Count > 0 && mixed[^1].Number == next.Number && mixed[^1].Type != next.Type) mixed.Add(Unknown(depth: 0));
            mixed.Add(next);
            if (row.Count == 0) rows.Remove(row);
        }

        return mixed;
    }

    private IEnumerable<WireField> Rewrite(List<WireField> row, FieldDescriptor field)
    {
        if (FieldForms.IsMessage(field)) return row.SelectMany(item => RewriteMessage(item, field));
        if (field.IsRepeated) return FieldForms.IsNumber(field) && FieldHints.Of(field).Form is null ? Regroup(row, field) : row;
        return field.FieldType != FieldType.Bytes && FieldHints.Of(field).Form is null && random.Next(4) == 0 ? [Replaced(row[0]), .. row] : row;
    }

    private IEnumerable<WireField> RewriteMessage(WireField item, FieldDescriptor field)
    {
        var fields = item.Group?.ToList() ?? WireReading.Read(item.Bytes);
        bool isWhole = field.IsRepeated || FieldHints.Of(field).Form is not null || field.ContainingType.GetOptions()?.MapEntry == true;
        if (isWhole || random.Next(3) != 0) return [Made(item, Rewrite(fields, field.MessageType), field.MessageType)];

        // Each field of the message goes to one of the parts, so that the order within it stays.
        var parts = fields.GroupBy(static inner => inner.Number % 2).Select(static part => part.ToList());
        return parts.Append([]).Select(part => Made(item, Rewrite(part, field.MessageType), field.MessageType));
    }

    private WireField Made(WireField like, List<WireField> fields, MessageDescriptor descriptor) =>
        like.Group is not null ? like with { Group = fields } : like with { Bytes = Write(fields, descriptor) };

    private List<WireField> Regroup(List<WireField> row, FieldDescriptor field)
    {
        var type = FieldForms.WireTypeOf(field);
        var items = row.SelectMany(item => item.Type == WireType.Bytes ? WireReading.ReadPacked(item.Bytes, type) : [item.Value]).ToList();
        var regrouped = new List<WireField>();
        for (int i = 0; i < items.Count;)
        {
            if (random.Next(2) == 0)
            {
                regrouped.Add(new WireField(field.FieldNumber, type, items[i++]));
                continue;
            }

            var block = new WireWriting(random);
            for (int end = Math.Min(items.Count, i + random.Next(items.Count + 1)); i < end; i++) block.WriteNumber(items[i], type, FieldForms.IsNarrow(field));
            regrouped.Add(new WireField(field.FieldNumber, WireType.Bytes, Bytes: block.ToArray()));
        }

        return regrouped;
    }

    private static WireField Replaced(WireField field) => field.Type == WireType.Bytes ? field with { Bytes = "replaced"u8.ToArray() } : field with { Value = 1 };

    private WireField Unknown(int depth)
    {
        int number = random.Next(UnknownNumbers, 2 * UnknownNumbers);
        return random.Next(depth < 3 ? 5 : 4) switch
        {
            0 => new WireField(number, WireType.Varint, (ulong)random.NextInt64()),
            1 => new WireField(number, WireType.Fixed32, (ulong)random.Next()),
            2 => new WireField(number, WireType.Fixed64, (ulong)random.NextInt64()),
            3 => new WireField(number, WireType.Bytes, Bytes: new byte[random.Next(200)]),
            _ => new WireField(number, WireType.StartGroup, Group: [.. Enumerable.Range(0, random.Next(3)).Select(_ => Unknown(depth + 1))]),
        };
    }
}
