using System.Globalization;

namespace Mux.Description.Proto.Printing;

/// <summary>Writes services, with the options of mux/options.proto.</summary>
internal sealed class ServicePrinter(ProtoText text, NameScope names)
{
    /// <summary>True if a service or a method of it has options of mux/options.proto.</summary>
    public static bool HasOptions(ProtoService service) =>
        OptionsOf(service).Count > 0 || service.Methods.Exists(static method => OptionsOf(method.Options).Count > 0);

    public void Print(ProtoService service) => text.Gap().Comment(service.Comment).Block($"service {service.Name}", () =>
    {
        if (service.IsDeprecated) text.Line("option deprecated = true;");
        PrintOptions("mux.service", service.FullName, OptionsOf(service));
        foreach (var method in service.Methods) Print(method, service.FullName);
    });

    private void Print(ProtoMethod method, string scope)
    {
        var request = $"{(method.IsRequestStream ? "stream " : string.Empty)}{names.Refer(method.RequestName, scope)}";
        var response = $"{(method.IsResponseStream ? "stream " : string.Empty)}{names.Refer(method.ResponseName, scope)}";
        var start = $"rpc {method.Name}({request}) returns ({response})";
        var options = OptionsOf(method.Options);
        text.Gap().Comment(method.Comment);
        if (!method.IsDeprecated && method.IdempotencyLevel == 0 && options.Count == 0)
        {
            text.Line(start + ";");
            return;
        }

        text.Block(start, () =>
        {
            if (method.IsDeprecated) text.Line("option deprecated = true;");
            if (method.IdempotencyLevel != 0) text.Line($"option idempotency_level = {(method.IdempotencyLevel == 1 ? "NO_SIDE_EFFECTS" : "IDEMPOTENT")};");
            PrintOptions("mux.method", scope, options);
        });
    }

    private void PrintOptions(string name, string scope, List<string> options)
    {
        if (options.Count == 0) return;
        text.Block($"option {names.Option(name, scope)} =", () => options.ForEach(option => text.Line(option)), "};");
    }

    private static List<string> OptionsOf(ProtoService service)
    {
        var options = new List<string>();
        if (service.WireName is { } name) options.Add($"name: {ProtoLiteral.Text(name)}");
        if (service.IsCallback) options.Add("callback: true");
        if (service.HasExactFields) options.Add("exact_fields: true");
        return options;
    }

    private static List<string> OptionsOf(ProtoMethodOptions method)
    {
        var options = new List<string>();
        if (method.WireName is { } name) options.Add($"name: {ProtoLiteral.Text(name)}");
        if (method.IsOneWay) options.Add("one_way: true");
        if (method.TimeoutMilliseconds != 0) options.Add($"timeout_milliseconds: {method.TimeoutMilliseconds}");
        if (method.MaxMessageBytes != 0) options.Add($"max_message_bytes: {method.MaxMessageBytes}");
        if (method.Priority != 0) options.Add($"priority: {(method.Priority == 1 ? "HIGH" : "LOW")}");
        if (method.Format is { } format) options.Add($"format: {ProtoLiteral.Text(format)}");
        if (method.Arguments is { } arguments) options.Add($"arguments: {ProtoLiteral.Text(arguments)}");
        foreach (var detail in method.Details)
            options.Add($"details: {{ number: {detail.Number}{(detail.Message is { } message ? $", message: {ProtoLiteral.Text(message)}" : string.Empty)} }}");
        if (method.Authorization is { } authorization) options.Add($"authorization: {{ {string.Join(", ", PartsOf(authorization))} }}");
        foreach (var callback in method.Callbacks) options.Add($"callbacks: {ProtoLiteral.Text(callback)}");
        if (method.RequestFingerprint != 0) options.Add($"request_fingerprint: {Hexadecimal(method.RequestFingerprint)}");
        if (method.ResponseFingerprint != 0) options.Add($"response_fingerprint: {Hexadecimal(method.ResponseFingerprint)}");
        return options;
    }

    private static IEnumerable<string> PartsOf(ProtoAuthorization authorization)
    {
        if (authorization.AllowsAnonymous) yield return "allows_anonymous: true";
        if (authorization.RequiresUser) yield return "requires_user: true";
        foreach (var policy in authorization.Policies) yield return $"policies: {ProtoLiteral.Text(policy)}";
        foreach (var role in authorization.Roles) yield return $"roles: {ProtoLiteral.Text(role)}";
    }

    private static string Hexadecimal(uint number) => "0x" + number.ToString("x8", CultureInfo.InvariantCulture);
}
