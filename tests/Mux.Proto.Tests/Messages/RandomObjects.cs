using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Proto.Tests.Messages;

/// <summary>Fills objects of imported types through their properties, as user code does.</summary>
internal sealed class RandomObjects(Random random)
{
    private const int MaxDepth = 3;

    private readonly RandomScalars _scalars = new(random);

    /// <param name="type">The imported type.</param>
    /// <param name="descriptor">What Google's library knows of it.</param>
    /// <param name="depth">How deep it is in others.</param>
    public object Next(Type type, MessageDescriptor descriptor, int depth = 0)
    {
        var made = Activator.CreateInstance(type)!;
        foreach (var (number, property) in ImportedMembers.Of(type))
        {
            var field = descriptor.FindFieldByNumber(number);
            // Google's library has no entry without its parts.
            bool isAlways = field.IsRequired || descriptor.GetOptions()?.MapEntry == true;
            if (!isAlways && (random.Next(3) == 0 || (depth >= MaxDepth && field.FieldType is FieldType.Message or FieldType.Group))) continue;
            var value = Member(property.PropertyType, field, depth);
            // Protobuf writes the negative zero, and Google's classes for C# do not where a field has no presence.
            bool isLost = value is -0.0 or -0.0F && Nullable.GetUnderlyingType(property.PropertyType) is null && !isAlways;
            property.SetValue(made, isLost ? Activator.CreateInstance(property.PropertyType) : value);
        }

        return made;
    }

    private object Member(Type type, FieldDescriptor field, int depth)
    {
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Dictionary<,>))
        {
            var map = (IDictionary)Activator.CreateInstance(type)!;
            var arguments = type.GetGenericArguments();
            for (int i = random.Next(4); i > 0; i--)
                map[Value(arguments[0], field.MessageType.FindFieldByNumber(1), depth)] = Value(arguments[1], field.MessageType.FindFieldByNumber(2), depth + 1);
            return map;
        }

        if (!field.IsRepeated) return Value(Nullable.GetUnderlyingType(type) ?? type, field, depth);
        var list = (IList)Activator.CreateInstance(type)!;
        var keys = new HashSet<object>();
        for (int i = random.Next(4 - depth); i > 0; i--)
        {
            // A list of entries is a map, too: a key is there once, for Google.
            var item = Value(type.GetGenericArguments()[0], field, depth);
            if (!field.IsMap || keys.Add(item.GetType().GetProperty("Key")!.GetValue(item)!)) list.Add(item);
        }

        return list;
    }

    private object Value(Type type, FieldDescriptor field, int depth)
    {
        if (type == typeof(DateTime)) return _scalars.Time();
        if (type == typeof(TimeSpan)) return _scalars.Span();
        if (type.IsEnum)
        {
            var values = Enum.GetValuesAsUnderlyingType(type);
            return Enum.ToObject(type, values.GetValue(random.Next(values.Length))!);
        }

        bool isWrapped = field.FieldType == FieldType.Message && field.MessageType.File.Name == "google/protobuf/wrappers.proto" && ImportedMembers.Of(type).Count == 0;
        if (isWrapped) return Value(type, field.MessageType.FindFieldByNumber(1), depth);
        if (field.FieldType is FieldType.Message or FieldType.Group) return Next(type, field.MessageType, depth + 1);
        return _scalars.Next(field.FieldType) is var value && value is ByteString bytes ? bytes.ToByteArray() : value;
    }
}
