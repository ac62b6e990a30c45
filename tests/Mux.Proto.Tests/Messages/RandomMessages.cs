using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;

namespace Mux.Proto.Tests.Messages;

/// <summary>Fills Google's messages with what C# types of Mux hold as well: times are whole ticks.</summary>
internal sealed class RandomMessages(Random random)
{
    private const int MaxDepth = 3;

    private readonly RandomScalars _scalars = new(random);

    public IMessage Next(MessageDescriptor type, int depth = 0)
    {
        if (type.FullName == "google.protobuf.Timestamp") return Timestamp.FromDateTime(_scalars.Time());
        if (type.FullName == "google.protobuf.Duration") return Duration.FromTimeSpan(_scalars.Span());
        var message = (IMessage)Activator.CreateInstance(type.ClrType)!;
        foreach (var field in type.Fields.InDeclarationOrder())
        {
            if (field.RealContainingOneof is null && (IsNeeded(field) || random.Next(3) != 0)) Fill(message, field, depth);
        }

        foreach (var oneof in type.Oneofs.Where(oneof => !oneof.IsSynthetic && random.Next(4) != 0))
            Fill(message, oneof.Fields[random.Next(oneof.Fields.Count)], depth);
        return message;
    }

    /// <summary>Sets one field.</summary>
    public void Fill(IMessage message, FieldDescriptor field, int depth)
    {
        if (depth >= MaxDepth && !field.IsRequired && field.FieldType is FieldType.Message or FieldType.Group) return;
        if (field.IsMap)
        {
            var (key, value) = (field.MessageType.FindFieldByNumber(1), field.MessageType.FindFieldByNumber(2));
            var map = (IDictionary)field.Accessor.GetValue(message);
            for (int i = random.Next(4); i > 0; i--) map[Value(key, depth)] = Value(value, depth + 1);
        }
        else if (field.IsRepeated)
        {
            var list = (IList)field.Accessor.GetValue(message);
            for (int i = random.Next(4 - depth); i > 0; i--) list.Add(Value(field, depth));
        }
        else
        {
            field.Accessor.SetValue(message, Value(field, depth));
        }
    }

    // The library does not resolve the features of editions.
    public static bool IsNeeded(FieldDescriptor field) =>
        field.IsRequired || field.ToProto().Options?.Features?.FieldPresence == FeatureSet.Types.FieldPresence.LegacyRequired;

    private object Value(FieldDescriptor field, int depth)
    {
        if (field.FieldType == FieldType.Enum)
        {
            bool isOpen = field.EnumType.Values[0].Number == 0 && random.Next(4) == 0;
            return System.Enum.ToObject(field.EnumType.ClrType, isOpen ? 77 : field.EnumType.Values[random.Next(field.EnumType.Values.Count)].Number);
        }

        if (field.FieldType is not (FieldType.Message or FieldType.Group)) return _scalars.Next(field.FieldType);
        // Google's classes have the value in place of a wrapper.
        return field.MessageType.File.Name == "google/protobuf/wrappers.proto"
            ? Value(field.MessageType.FindFieldByNumber(1), depth) : Next(field.MessageType, depth + 1);
    }
}
