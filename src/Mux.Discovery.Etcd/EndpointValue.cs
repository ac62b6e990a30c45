using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd;

/// <summary>The value of a key: an endpoint as JSON. Members that this version does not know are ignored.</summary>
internal sealed record EndpointValue
{
    [JsonPropertyName("address")]
    public string? Address { get; init; }

    [JsonPropertyName("zone")]
    public string? Zone { get; init; }

    [JsonPropertyName("weight")]
    public int? Weight { get; init; }

    /// <summary>Writes an endpoint.</summary>
    public static byte[] Write(MuxEndpoint endpoint) => JsonSerializer.SerializeToUtf8Bytes(
        new EndpointValue { Address = endpoint.Address.ToString(), Zone = endpoint.Zone, Weight = endpoint.Weight }, EndpointValueJson.Default.EndpointValue);

    /// <summary>Reads an endpoint.</summary>
    /// <param name="json">The value of a key.</param>
    /// <param name="instance">The name of the server, from the key.</param>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="error">Why it cannot be read. Does not repeat the value, which may be anything.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> json, string instance, [NotNullWhen(true)] out MuxEndpoint? endpoint, [NotNullWhen(false)] out string? error)
    {
        (endpoint, error) = (null, null);
        EndpointValue? value;
        try
        {
            value = JsonSerializer.Deserialize(json, EndpointValueJson.Default.EndpointValue);
        }
        catch (JsonException e)
        {
            error = $"its value is not JSON such as {{\"address\":\"mux://10.0.0.7:7070\",\"weight\":100}} (at byte {e.BytePositionInLine ?? 0})";
            return false;
        }

        if (value?.Address is not { } text) error = "its value has no \"address\"";
        else if (!MuxAddress.TryParse(text, out var address, out _)) error = "its \"address\" is not one such as mux://host:port";
        else if (address is { Port: 0, Host.Length: > 0 }) error = "its \"address\" has the port 0";
        else if (value.Weight is < 1 or > MuxEndpoint.MaxWeight) error = $"its \"weight\" is {value.Weight}: expected 1 to {MuxEndpoint.MaxWeight}";
        else endpoint = new MuxEndpoint(address) { Zone = value.Zone, Weight = value.Weight ?? MuxEndpoint.DefaultWeight, Instance = instance };
        return endpoint is not null;
    }
}
