using System.Globalization;
using Mux.Description;
using Mux.Description.Proto.Printing;

namespace Mux.Tool.Contracts;

/// <summary>Shows contracts in the syntax of .proto files, with full names and without files.</summary>
internal static class ContractText
{
    private const string Indent = "  ";

    /// <param name="part">What is described.</param>
    /// <param name="undescribed">Services without a description.</param>
    public static IReadOnlyList<string> Of(ContractPart part, IReadOnlyCollection<string> undescribed)
    {
        var lines = new List<string>();
        foreach (var service in undescribed) lines.AddRange([$"// service {service}: built without a description", ""]);
        foreach (var (service, methods) in part.Services) Append(lines, service, methods);
        foreach (var message in part.Messages) Append(lines, message);
        foreach (var type in part.Enums) Append(lines, type);
        if (lines.Count > 0) lines.RemoveAt(lines.Count - 1); // the empty line after the last one
        return lines;
    }

    private static void Append(List<string> lines, ServiceType service, IReadOnlyList<MethodType> methods)
    {
        if (service.IsCallback) lines.Add("// Served by the caller during a call.");
        lines.Add($"service {service.Name} {{");
        foreach (var method in methods)
        {
            var notes = Notes(method).ToList();
            var request = $"{(method.IsRequestStream ? "stream " : "")}{method.Request.FullName}";
            var response = $"{(method.IsResponseStream ? "stream " : "")}{method.Response.FullName}";
            lines.Add($"{Indent}rpc {method.Name} ({request}) returns ({response});{(notes.Count == 0 ? "" : $"  // {string.Join(", ", notes)}")}");
        }

        lines.AddRange(["}", ""]);
    }

    private static IEnumerable<string> Notes(MethodType method)
    {
        if (method.IsOneWay) yield return "one-way";
        if (method.Arguments is { } arguments) yield return $"preceded by {arguments.FullName}";
        if (method.IsIdempotent) yield return "idempotent";
        if (method.Timeout is { } timeout)
            yield return string.Create(CultureInfo.InvariantCulture, $"timeout {timeout.TotalMilliseconds} ms");
        if (method.MaxMessageBytes is { } bytes)
            yield return string.Create(CultureInfo.InvariantCulture, $"at most {bytes} bytes");
        if (method.Priority != MuxCallPriority.Normal) yield return $"priority {method.Priority}";
        if (method.Format != "protobuf") yield return $"format {method.Format}";
        foreach (var (number, message) in method.Details.OrderBy(static detail => detail.Key))
            yield return string.Create(CultureInfo.InvariantCulture,
                $"error {number} {message?.FullName ?? "of another format"}");
        foreach (var callback in method.Callbacks) yield return $"calls {callback.Name}";
        if (method.Authorization is { } rule) yield return Rule(rule.AllowsAnonymous, rule.Policies, rule.Roles);
    }

    private static string Rule(bool allowsAnonymous, IEnumerable<string> policies, IEnumerable<string> roles)
    {
        if (allowsAnonymous) return "for all callers";
        var parts = policies.Select(static policy => $"policy {policy}")
            .Concat(roles.Select(static list => $"role {list.Replace(",", " or", StringComparison.Ordinal)}"));
        var rule = string.Join(" and ", parts);
        return rule.Length == 0 ? "for callers with an identity" : $"for {rule}";
    }

    private static void Append(List<string> lines, MessageType message)
    {
        lines.Add($"message {message.FullName} {{");
        var groups = message.Fields.GroupBy(static field => field.Oneof ?? $"\0{field.Number}", StringComparer.Ordinal);
        foreach (var group in groups)
        {
            bool isOneof = group.First().Oneof is not null;
            if (isOneof) lines.Add($"{Indent}oneof {group.Key} {{");
            foreach (var field in group) lines.Add($"{Indent}{(isOneof ? Indent : "")}{TextOf(field)}");
            if (isOneof) lines.Add($"{Indent}}}");
        }

        lines.AddRange(["}", ""]);
    }

    private static string TextOf(Field field)
    {
        string label = field.IsMap ? ""
            : field.IsRepeated ? "repeated "
            : field.HasPresence && field.Oneof is null && field.Message is null ? "optional "
            : "";
        var options = new List<string>();
        if (field.Default is { } value) options.Add($"default = {ProtoLiteral.Default(field.Kind, value)}");
        if (field.IsRepeated && !field.IsPacked && IsPackable(field)) options.Add("packed = false");
        var text = options.Count == 0 ? "" : $" [{string.Join(", ", options)}]";
        return string.Create(CultureInfo.InvariantCulture,
            $"{label}{TypeOf(field)} {field.Name} = {field.Number}{text};");
    }

    public static string TypeOf(Field field)
    {
        if (field.IsMap && field.Message!.Find(1) is { } key && field.Message.Find(2) is { } item)
            return $"map<{NameOf(key)}, {NameOf(item)}>";
        return NameOf(field);
    }

    /// <summary>Gets the name of a type, also for what a hostile description declares as a map of maps.</summary>
    private static string NameOf(Field field) =>
        field.Message?.FullName ?? field.Enum?.FullName ?? field.Kind.ToString().ToLowerInvariant();

    private static bool IsPackable(Field field) =>
        field.Message is null && field.Kind is not (FieldKind.String or FieldKind.Bytes);

    private static void Append(List<string> lines, EnumType type)
    {
        lines.Add($"enum {type.FullName} {{");
        foreach (var (name, number) in type.Values)
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"{Indent}{name} = {number};"));
        lines.AddRange(["}", ""]);
    }
}
