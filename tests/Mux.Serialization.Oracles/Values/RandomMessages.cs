using System.Collections;
using System.Globalization;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Protos;
using Mux.Serialization.Oracles.Trees;

namespace Mux.Serialization.Oracles.Values;

/// <summary>Fills messages of Google's with what a member of ours can hold, as the hints beside their fields say.</summary>
/// <param name="random">Where values come from.</param>
/// <param name="otherBytes">
/// Whether there may be what says the same in other bytes: a packed list of one item, which ours writes without a block, and empty texts and zeros in maps, which ours does not leave out.
/// </param>
public sealed class RandomMessages(Random random, bool otherBytes = false)
{
    private const int MaxDepth = 3;
    private const int MaxItems = 5;

    // Some blocks need two bytes for their length.
    private const int ManyItems = 90;

    public IMessage Next(MessageDescriptor descriptor) => Next(descriptor, 0);

    private IMessage Next(MessageDescriptor descriptor, int depth)
    {
        var message = (IMessage)Activator.CreateInstance(descriptor.ClrType)!;
        foreach (var field in descriptor.Fields.InFieldNumberOrder())
        {
            if (field.RealContainingOneof is null) Fill(message, field, depth);
        }

        foreach (var choice in descriptor.Oneofs.Where(static oneof => !oneof.IsSynthetic))
        {
            if (random.Next(4) != 0) Fill(message, choice.Fields[random.Next(choice.Fields.Count)], depth);
        }

        return message;
    }

    private void Fill(IMessage message, FieldDescriptor field, int depth)
    {
        if (field.IsMap) FillMap((IDictionary)field.Accessor.GetValue(message), field, depth);
        else if (field.IsRepeated) FillList((IList)field.Accessor.GetValue(message), field, depth);
        else if (FieldHints.Of(field).IsAlways || (random.Next(3) != 0 && !IsTooDeep(field, depth))) SetValue(message, field, depth);
    }

    private void SetValue(IMessage message, FieldDescriptor field, int depth)
    {
        // What stands for absence in our member is not written by it.
        var value = Value(field, depth);
        var hints = FieldHints.Of(field);
        bool isZero = hints.Form is not null && (!field.HasPresence || hints.IsOmitted) && KnownForms.IsZero(hints.Form, GoogleTree.Convert(field, value));
        if (!isZero && !value.Equals(hints.Default)) field.Accessor.SetValue(message, value);
    }

    private void FillList(IList list, FieldDescriptor field, int depth)
    {
        if (IsTooDeep(field, depth)) return;
        int count = random.Next(20) == 0 ? ManyItems : random.Next(MaxItems);
        if (field.FieldType is FieldType.Message or FieldType.Group) count = Math.Min(count, MaxItems >> depth); // or the deeper ones would be all there is
        var items = Enumerable.Range(0, count).Select(_ => Value(field, depth)).ToList();
        var order = FieldHints.Of(field).Order;
        if (order != Order.AsRead) items = [.. items.DistinctBy(item => KeyOf(field, item))];
        if (order == Order.Sorted) items = [.. items.Order()];
        if (items.Count == 1 && field.IsPacked && !otherBytes) return;
        foreach (var item in items) list.Add(item);
    }

    // Of a pair the key, which is there once.
    private static string KeyOf(FieldDescriptor field, object item)
    {
        var tree = GoogleTree.Convert(field, item);
        return FieldText.Of(tree is FieldTree pair ? pair.Fields[1] : tree);
    }

    private void FillMap(IDictionary map, FieldDescriptor field, int depth)
    {
        if (IsTooDeep(field, depth)) return;
        var (keyField, valueField) = (field.MessageType.FindFieldByNumber(1), field.MessageType.FindFieldByNumber(2));
        var keys = Enumerable.Range(0, random.Next(MaxItems)).Select(_ => Value(keyField, depth)).Distinct().ToList();
        if (FieldHints.Of(field).Order == Order.Sorted) keys.Sort();
        foreach (var key in keys)
        {
            var value = Value(valueField, depth + 1);
            if (otherBytes || !(IsWrittenOtherwise(field, keyField, key, FieldHints.Of(field).IsZeroKeyWritten) || IsWrittenOtherwise(field, valueField, value, isZeroWritten: false))) map[key] = value;
        }
    }

    private static bool IsWrittenOtherwise(FieldDescriptor map, FieldDescriptor field, object value, bool isZeroWritten) => value switch
    {
        string text => text.Length == 0,
        ByteString bytes => bytes.IsEmpty,
        IMessage message => FieldHints.Of(map).Wrapper == Wrapper.Value && message.CalculateSize() == 0,
        int number => number == 0 && isZeroWritten,
        _ => field.FieldType == FieldType.Enum && (int)value == 0,
    };

    private static bool IsTooDeep(FieldDescriptor field, int depth) => field.FieldType is FieldType.Message or FieldType.Group && depth >= MaxDepth;

    private object Value(FieldDescriptor field, int depth)
    {
        var hints = FieldHints.Of(field);
        if (hints.Form is not null) return GoogleValues.Of(field, hints.Form.ToTree(hints.Form.Next(random)));
        long number = RandomValues.Integer(random, hints.Range);
        return field.FieldType switch
        {
            FieldType.Bool => random.Next(2) == 0,
            FieldType.Int32 or FieldType.SInt32 or FieldType.SFixed32 => (int)number,
            FieldType.UInt32 or FieldType.Fixed32 => (uint)number,
            FieldType.Int64 or FieldType.SInt64 or FieldType.SFixed64 => number,
            FieldType.UInt64 or FieldType.Fixed64 => (ulong)number,
            FieldType.Float => RandomValues.Single(random),
            FieldType.Double => RandomValues.Double(random),
            FieldType.Enum => Enum.ToObject(field.EnumType.ClrType, (int)number),
            FieldType.String => RandomValues.Text(random),
            FieldType.Bytes => ByteString.CopyFrom(RandomValues.Bytes(random)),
            FieldType.Message or FieldType.Group => Next(field.MessageType, depth + 1),
            _ => throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"Nothing makes a {field.FieldType}.")),
        };
    }
}
