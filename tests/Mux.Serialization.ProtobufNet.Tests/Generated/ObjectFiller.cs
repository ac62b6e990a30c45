using System.Collections;
using System.Reflection;

namespace Mux.Serialization.ProtobufNet.Tests.Generated;

/// <summary>Sets the fields of objects, those behind properties included, and says what they hold.</summary>
/// <param name="random">Decides.</param>
internal sealed class ObjectFiller(Random random)
{
    private const BindingFlags Fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    public object Next(Type type)
    {
        var made = Activator.CreateInstance(type)!;
        foreach (var field in type.GetFields(Fields)) field.SetValue(made, Value(field.FieldType, mayBeNull: true));
        return made;
    }

    /// <summary>What an object holds, also in private fields.</summary>
    public static string Say(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        byte[] bytes => Convert.ToHexString(bytes),
        double number => BitConverter.DoubleToInt64Bits(number).ToString("x", null),
        float number => BitConverter.SingleToInt32Bits(number).ToString("x", null),
        DateTime time => $"{time.Ticks} {time.Kind}",
        Uri uri => uri.OriginalString,
        IEnumerable list => $"[{string.Join(", ", list.Cast<object?>().Select(Say))}]",
        IFormattable number => number.ToString(null, null),
        bool or char => $"{value}",
        _ => $"({string.Join(", ", value.GetType().GetFields(Fields).Select(field => $"{field.Name} = {Say(field.GetValue(value))}"))})",
    };

    private object? Value(Type type, bool mayBeNull)
    {
        if (Nullable.GetUnderlyingType(type) is { } bare) return random.Next(3) == 0 ? null : Value(bare, mayBeNull: false);
        if (mayBeNull && !type.IsValueType && random.Next(4) == 0) return null;
        if (type.IsGenericType || (type.IsArray && type != typeof(byte[]))) return Items(type);
        var kind = MemberKind.All.First(kind => kind.Type == type.Name || kind.Values[0].GetType() == type && !(kind.Type is "Medal" or "SmallMedal" or "Leaf"));
        var chosen = kind.Values[random.Next(kind.Values.Length)];
        if (type.IsEnum) return Enum.ToObject(type, chosen);
        if (kind.Type != "Leaf") return chosen;
        var leaf = Activator.CreateInstance(type)!;
        type.GetField("_id", Fields)!.SetValue(leaf, chosen);
        return leaf;
    }

    private object Items(Type type)
    {
        int count = random.Next(4);
        if (type.IsArray)
        {
            var array = Array.CreateInstance(type.GetElementType()!, count);
            for (int i = 0; i < count; i++) array.SetValue(Value(type.GetElementType()!, mayBeNull: false), i);
            return array;
        }

        var made = Activator.CreateInstance(type)!;
        var arguments = type.GetGenericArguments();
        for (int i = 0; i < count; i++)
        {
            if (made is IDictionary map) map[Value(arguments[0], mayBeNull: false)!] = Value(arguments[1], mayBeNull: false);
            else ((IList)made).Add(Value(arguments[0], mayBeNull: false));
        }

        return made;
    }
}
