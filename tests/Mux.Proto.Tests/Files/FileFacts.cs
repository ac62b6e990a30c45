using System.Globalization;
using Mux.Description;

namespace Mux.Proto.Tests.Files;

/// <summary>What a set says, a line for each fact.</summary>
internal static class FileFacts
{
    /// <param name="set">The set.</param>
    /// <param name="isTold">Decides by name which types count.</param>
    public static IReadOnlyList<string> Of(ContractSet set, Func<string, bool> isTold)
    {
        var facts = new List<string>();
        foreach (var message in set.Messages.Where(message => isTold(message.FullName)))
        {
            facts.Add($"message {message.FullName} {message.IsMapEntry}");
            facts.AddRange(message.Fields.Select(field => $"field {message.FullName}.{Of(field, message)}"));
        }

        foreach (var type in set.Enums.Where(type => isTold(type.FullName)))
            facts.Add($"enum {type.FullName} {string.Join(", ", type.Values.Select(static value => $"{value.Key} = {value.Value}"))}");
        foreach (var service in set.Services.Where(service => isTold(service.FullName)))
        {
            facts.Add($"service {service.FullName} {service.Name} {service.IsCallback}");
            facts.AddRange(service.Methods.Select(method => $"method {service.FullName}.{Of(method)}"));
        }

        facts.Sort(StringComparer.Ordinal);
        return facts;
    }

    // Entries of maps have both fields always.
    private static string Of(Field field, MessageType message) =>
        $"{field.Name} = {field.Number} {field.JsonName} {field.Kind} {field.Message?.FullName}{field.Enum?.FullName} repeated={field.IsRepeated} packed={field.IsPacked} " +
        $"presence={field.HasPresence || message.IsMapEntry} default={Value(field)} oneof={field.Oneof}";

    private static string? Value(Field field) => field.Kind.ToString() is "Double" or "Float" && double.TryParse(field.Default, CultureInfo.InvariantCulture, out double number)
        ? number.ToString("R", CultureInfo.InvariantCulture) : field.Default;

    private static string Of(MethodType method) =>
        $"{method.Name} {method.Arguments} {method.IsRequestStream} {method.Request} {method.IsResponseStream} {method.Response} {method.IsOneWay} {method.IsIdempotent} " +
        $"{method.Timeout} {method.MaxMessageBytes} {method.Priority} {method.Format} {string.Join(',', method.Details)} {string.Join(',', method.Callbacks)} " +
        $"{method.Authorization?.AllowsAnonymous} {string.Join(',', method.Authorization?.Policies ?? [])}";
}
