using System.Text.Encodings.Web;
using System.Text.Json;
using Mux.Description;
using Mux.Tool.Reporting;

namespace Mux.Tool.Contracts;

/// <summary>Shows contracts to programs.</summary>
internal static class ContractJson
{
    private static readonly JsonWriterOptions s_options = new()
    {
        Indented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Writes a list of names.</summary>
    public static byte[] OfNames(string schema, string property, IEnumerable<string> names) => Write(schema, json =>
    {
        json.WriteStartArray(property);
        foreach (var name in names) json.WriteStringValue(name);
        json.WriteEndArray();
    });

    /// <param name="part">What is described.</param>
    /// <param name="undescribed">Services without a description.</param>
    public static byte[] Of(ContractPart part, IReadOnlyCollection<string> undescribed) => Write("mux.describe/1", json =>
    {
        json.WriteStartArray("services");
        foreach (var (service, methods) in part.Services) Write(json, service, methods);
        json.WriteEndArray();
        json.WriteStartArray("messages");
        foreach (var message in part.Messages) Write(json, message);
        json.WriteEndArray();
        json.WriteStartArray("enums");
        foreach (var type in part.Enums) Write(json, type);
        json.WriteEndArray();
        json.WriteStartArray("undescribed");
        foreach (var service in undescribed) json.WriteStringValue(service);
        json.WriteEndArray();
    });

    private static byte[] Write(string schema, Action<Utf8JsonWriter> content)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, s_options))
        {
            json.WriteStartObject();
            json.WriteString("schema", schema);
            content(json);
            json.WriteEndObject();
        }

        return PrintableJson.Of(stream.GetBuffer().AsSpan(0, (int)stream.Length));
    }

    private static void Write(Utf8JsonWriter json, ServiceType service, IReadOnlyList<MethodType> methods)
    {
        json.WriteStartObject();
        json.WriteString("name", service.Name);
        if (service.IsCallback) json.WriteBoolean("callback", true);
        json.WriteStartArray("methods");
        foreach (var method in methods)
        {
            json.WriteStartObject();
            json.WriteString("name", method.Name);
            json.WriteString("request", method.Request.FullName);
            json.WriteString("response", method.Response.FullName);
            json.WriteBoolean("request_stream", method.IsRequestStream);
            json.WriteBoolean("response_stream", method.IsResponseStream);
            json.WriteBoolean("one_way", method.IsOneWay);
            json.WriteBoolean("idempotent", method.IsIdempotent);
            json.WriteString("format", method.Format);
            if (method.Arguments is { } arguments) json.WriteString("arguments", arguments.FullName);
            if (method.Timeout is { } timeout) json.WriteNumber("timeout_ms", timeout.TotalMilliseconds);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, MessageType message)
    {
        json.WriteStartObject();
        json.WriteString("name", message.FullName);
        json.WriteStartArray("fields");
        foreach (var field in message.Fields)
        {
            json.WriteStartObject();
            json.WriteString("name", field.Name);
            json.WriteString("json_name", field.JsonName);
            json.WriteNumber("number", field.Number);
            json.WriteString("type", ContractText.TypeOf(field));
            json.WriteBoolean("repeated", field.IsRepeated);
            json.WriteBoolean("presence", field.HasPresence);
            if (field.Oneof is { } oneof) json.WriteString("oneof", oneof);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, EnumType type)
    {
        json.WriteStartObject();
        json.WriteString("name", type.FullName);
        json.WriteStartObject("values");
        foreach (var (name, number) in type.Values) json.WriteNumber(name, number);
        json.WriteEndObject();
        json.WriteEndObject();
    }
}
