using System.Collections;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;

namespace Mux.Description.Tests.Json;

/// <summary>Messages with random fields, of which each is valid in JSON.</summary>
internal sealed class RandomMessages(Random random)
{
    private static readonly string[] s_texts = ["", "a", "\"quoted\\\"", "line\n\u0001\u007f", "Grüße", "日本語", "\U0001F600 & <b>", "x/y+z'", "\u2028"];
    private static readonly double[] s_doubles = [0, 1, -1.5, double.MaxValue, double.Epsilon, double.NaN, double.PositiveInfinity, double.NegativeInfinity, 1e21, 0.1];

    public Everything Next(int depth = 0)
    {
        var message = new Everything();
        Fill(message, depth);
        return message;
    }

    private void Fill(IMessage message, int depth)
    {
        foreach (var field in message.Descriptor.Fields.InDeclarationOrder())
        {
            if (random.Next(depth == 0 ? 3 : 8) != 0) continue;
            if (field.IsMap) FillMap(message, field, depth);
            else if (field.IsRepeated)
            {
                var list = (IList)field.Accessor.GetValue(message);
                for (int i = random.Next(5); i > 0; i--) list.Add(Value(field, depth));
            }
            else if (Value(field, depth) is { } value) field.Accessor.SetValue(message, value);
        }
    }

    private void FillMap(IMessage message, FieldDescriptor field, int depth)
    {
        var map = (IDictionary)field.Accessor.GetValue(message);
        for (int i = random.Next(5); i > 0; i--)
            map[Value(field.MessageType.FindFieldByNumber(1), depth)!] = Value(field.MessageType.FindFieldByNumber(2), depth);
    }

    private object? Value(FieldDescriptor field, int depth) => field.FieldType switch
    {
        FieldType.Double => s_doubles[random.Next(s_doubles.Length)],
        FieldType.Float => random.Next(4) == 0 ? float.NaN : random.NextSingle() * 1e10f,
        FieldType.Int32 or FieldType.SInt32 or FieldType.SFixed32 => Integer<int>(int.MinValue, int.MaxValue, (int)random.NextInt64()),
        FieldType.UInt32 or FieldType.Fixed32 => Integer<uint>(0, uint.MaxValue, (uint)random.NextInt64()),
        FieldType.Int64 or FieldType.SInt64 or FieldType.SFixed64 => Integer<long>(long.MinValue, long.MaxValue, random.NextInt64() * (random.Next(2) - 1)),
        FieldType.UInt64 or FieldType.Fixed64 => Integer<ulong>(0, ulong.MaxValue, (ulong)random.NextInt64() * 2),
        FieldType.Bool => random.Next(2) == 0,
        FieldType.String => s_texts[random.Next(s_texts.Length)],
        FieldType.Bytes => ByteString.CopyFrom(Encoding.UTF8.GetBytes(s_texts[random.Next(s_texts.Length)])),
        FieldType.Enum => random.Next(5) switch { 0 => Tone.None, 1 => Tone.High, 2 => Tone.Low, 3 => Tone.Far, _ => (Tone)77 },
        _ => depth > 3 && field.MessageType.FullName == "test.json.Everything" ? new Everything() : Message(field.MessageType, depth + 1),
    };

    private T Integer<T>(T min, T max, T other) => random.Next(4) switch { 0 => min, 1 => max, 2 => default!, _ => other };

    private object Message(MessageDescriptor type, int depth)
    {
        switch (type.Name)
        {
            case "Timestamp":
                return new Timestamp { Seconds = random.NextInt64(-62135596800, 253402300800), Nanos = Nanos() };
            case "Duration":
                int sign = random.Next(2) * 2 - 1;
                return new Duration { Seconds = sign * random.NextInt64(315_576_000_001), Nanos = sign * Nanos() };
            case "FieldMask":
                return new FieldMask { Paths = { Enumerable.Repeat("one_path.to_be", random.Next(3)) } };
            case "Struct":
                var structure = new Struct();
                for (int i = random.Next(4); i > 0; i--) structure.Fields[s_texts[random.Next(1, s_texts.Length)]] = Free(depth);
                return structure;
            case "ListValue":
                return new ListValue { Values = { Enumerable.Range(0, random.Next(4)).Select(_ => Free(depth)) } };
            case "Value":
                return Free(depth);
            case "Any":
                return random.Next(3) switch { 0 => Any.Pack(new Empty()), 1 => Any.Pack((IMessage)Message(Duration.Descriptor, depth)), _ => Any.Pack(Next(depth + 1)) };
            case var _ when IsWrapper(type):
                return Value(type.FindFieldByNumber(1), depth)!;
            default:
                var message = type.Parser.ParseFrom([]);
                Fill(message, depth);
                return message;
        }
    }

    private static bool IsWrapper(MessageDescriptor type) => type.File.Name == "google/protobuf/wrappers.proto";

    private int Nanos() => random.Next(4) switch { 0 => 0, 1 => 1_000_000 * random.Next(1000), 2 => 1_000 * random.Next(1_000_000), _ => random.Next(1_000_000_000) };

    private Value Free(int depth) => random.Next(depth > 4 ? 4 : 6) switch
    {
        0 => global::Google.Protobuf.WellKnownTypes.Value.ForNull(),
        1 => global::Google.Protobuf.WellKnownTypes.Value.ForNumber(random.Next(1000) / 8.0),
        2 => global::Google.Protobuf.WellKnownTypes.Value.ForString(s_texts[random.Next(s_texts.Length)]),
        3 => global::Google.Protobuf.WellKnownTypes.Value.ForBool(random.Next(2) == 0),
        4 => global::Google.Protobuf.WellKnownTypes.Value.ForStruct((Struct)Message(Struct.Descriptor, depth + 1)),
        _ => new Value { ListValue = (ListValue)Message(ListValue.Descriptor, depth + 1) },
    };
}
