using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>Fills the model with the options of mux/options.proto.</summary>
internal static class MuxOptions
{
    public static void Fill(ParsedService service)
    {
        if (service.Values?.Message("[mux.service]") is not { } values) return;
        service.Model.WireName = Text(values, "name");
        service.Model.IsCallback = values.Flag("callback") == true;
        service.Model.HasExactFields = values.Flag("exact_fields") == true;
    }

    public static void Fill(ParsedField field)
    {
        if (field.Values?.Message("[mux.field]") is not { } values) return;
        field.Model.Bits = FieldReader.BitsOf(values.Integer("bits") ?? 0);
        field.Model.KeyBits = FieldReader.BitsOf(values.Integer("key_bits") ?? 0);
        field.Model.Absent = values.Text("absent");
        field.Model.FitBits();
    }

    public static void Fill(ParsedMethod method)
    {
        if (method.Values?.Message("[mux.method]") is not { } values) return;
        var options = method.Model.Options;
        options.WireName = Text(values, "name");
        options.IsOneWay = values.Flag("one_way") == true;
        options.TimeoutMilliseconds = (int)(values.Integer("timeout_milliseconds") ?? 0);
        options.MaxMessageBytes = (int)(values.Integer("max_message_bytes") ?? 0);
        options.Priority = values.Text("priority") switch { "HIGH" => 1, "LOW" => 2, _ => 0 };
        options.Format = Text(values, "format");
        options.Arguments = Text(values, "arguments");
        options.Callbacks.AddRange(values.All("callbacks").OfType<string>());
        options.RequestFingerprint = (uint)(values.Integer("request_fingerprint") ?? 0);
        options.ResponseFingerprint = (uint)(values.Integer("response_fingerprint") ?? 0);
        foreach (var detail in values.All("details").OfType<OptionMessage>())
            options.Details.Add(new ProtoErrorDetail((int)(detail.Integer("number") ?? 0), Text(detail, "message")));
        if (values.Message("authorization") is { } authorization) options.Authorization = Read(authorization);
    }

    private static ProtoAuthorization Read(OptionMessage values)
    {
        var authorization = new ProtoAuthorization
        {
            AllowsAnonymous = values.Flag("allows_anonymous") == true,
            RequiresUser = values.Flag("requires_user") == true,
        };
        authorization.Policies.AddRange(values.All("policies").OfType<string>());
        authorization.Roles.AddRange(values.All("roles").OfType<string>());
        return authorization;
    }

    // In proto3 an empty text means that the field is absent.
    private static string? Text(OptionMessage values, string name) => values.Text(name) is { Length: > 0 } text ? text : null;
}
