using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;

namespace Mux.Description.Reading;

/// <summary>Makes the contracts of a FileDescriptorSet.</summary>
internal static class SetReader
{
    public static ContractSet Read(ReadOnlySpan<byte> bytes)
    {
        var set = DescriptorReader.Read(bytes);
        var enums = set.Enums.Values.ToDictionary(
            static declared => declared.FullName, static declared => new EnumType(declared.FullName, ValuesOf(declared)), StringComparer.Ordinal);
        var messages = set.Messages.Values.ToDictionary(
            static message => message.FullName,
            static message => new MessageType(message.FullName) { IsMapEntry = message.IsMapEntry },
            StringComparer.Ordinal);
        foreach (var message in set.Messages.Values)
            messages[message.FullName].TrySetFields(message.Fields.ConvertAll(field => FieldOf(field, messages, enums)));
        return new ContractSet(bytes.ToArray(), new ServiceMaker(set, messages).Make(), messages, enums);
    }

    private static List<KeyValuePair<string, int>> ValuesOf(ProtoEnum declared) =>
        declared.Values.ConvertAll(static value => new KeyValuePair<string, int>(value.Name, value.Number));

    private static Field FieldOf(ProtoField field, Dictionary<string, MessageType> messages, Dictionary<string, EnumType> enums) =>
        new(field.Name, field.JsonName, field.Number, field.Kind)
        {
            Message = field.Message is { } message ? messages[message.FullName] : null,
            Enum = field.Enum is { } named ? enums[named.FullName] : null,
            IsRepeated = field.IsRepeated,
            IsPacked = field.IsPacked,
            HasPresence = field.HasPresence,
            Default = field.Default,
            Oneof = field.Oneof?.Name,
        };
}
