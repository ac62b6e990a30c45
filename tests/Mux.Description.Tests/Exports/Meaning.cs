using System.Globalization;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Description.Tests.Exports;

/// <summary>What files mean, as Google's library resolves them: a line for each fact. Languages and order of declarations differ without a difference in meaning.</summary>
internal static class Meaning
{
    /// <param name="set">The descriptors.</param>
    /// <param name="isTold">The files that count, by name.</param>
    public static IReadOnlyList<string> Of(byte[] set, Func<string, bool> isTold)
    {
        var files = FileDescriptor.BuildFromByteStrings(FileDescriptorSet.Parser.ParseFrom(set).File.Select(static file => file.ToByteString()));
        var facts = new List<string>();
        foreach (var file in files.Where(file => isTold(file.Name)))
        {
            facts.Add($"file {file.Name} {file.Package}");
            foreach (var message in file.MessageTypes) Tell(message, facts);
            foreach (var declared in file.EnumTypes) Tell(declared, facts);
            foreach (var service in file.Services) Tell(service, facts);
        }

        facts.Sort(StringComparer.Ordinal);
        return facts;
    }

    private static void Tell(MessageDescriptor message, List<string> facts)
    {
        var proto = message.ToProto();
        facts.Add($"message {message.FullName} map={IsMap(message)} reserved={proto.ReservedRange}{proto.ReservedName} deprecated={proto.Options?.Deprecated}");
        foreach (var field in message.Fields.InFieldNumberOrder())
        {
            // Entries of maps have both fields always, whatever their language says.
            bool hasPresence = field.HasPresence && !IsMap(message);
            facts.Add($"field {field.FullName} = {field.FieldNumber} {field.ToProto().Type} repeated={field.IsRepeated} required={field.IsRequired} packed={field.IsRepeated && field.IsPacked} "
                + $"presence={hasPresence} oneof={field.RealContainingOneof?.Name} json={field.JsonName} default={Default(field)} type={TypeOf(field)}");
        }

        foreach (var nested in message.NestedTypes) Tell(nested, facts);
        foreach (var declared in message.EnumTypes) Tell(declared, facts);
    }

    private static void Tell(EnumDescriptor declared, List<string> facts) =>
        facts.Add($"enum {declared.FullName} {string.Join(", ", declared.Values.Select(static value => $"{value.Name} = {value.Number}"))} aliases={declared.ToProto().Options?.AllowAlias}");

    private static void Tell(ServiceDescriptor service, List<string> facts)
    {
        facts.Add($"service {service.FullName} {Hex(service.ToProto().Options)}");
        foreach (var method in service.Methods)
        {
            facts.Add($"method {method.FullName} ({method.IsClientStreaming} {method.InputType.FullName}) ({method.IsServerStreaming} {method.OutputType.FullName}) "
                + Hex(method.ToProto().Options));
        }
    }

    private static bool IsMap(MessageDescriptor message) => message.ToProto().Options?.MapEntry == true;

    private static string Hex(IMessage? options) => options is null ? string.Empty : Convert.ToHexString(options.ToByteArray());

    private static string? TypeOf(FieldDescriptor field) => field.FieldType switch
    {
        FieldType.Message or FieldType.Group => field.MessageType.FullName,
        FieldType.Enum => field.EnumType.FullName,
        _ => null,
    };

    private static string Default(FieldDescriptor field)
    {
        var text = field.ToProto().DefaultValue;
        return field.FieldType is FieldType.Double or FieldType.Float && double.TryParse(text, CultureInfo.InvariantCulture, out double number)
            ? (field.FieldType == FieldType.Float ? (float)number : number).ToString("R", CultureInfo.InvariantCulture) : text;
    }
}
