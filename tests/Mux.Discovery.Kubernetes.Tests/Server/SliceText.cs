using System.Text.Json;
using System.Text.Json.Nodes;
using Mux.Discovery.Kubernetes.Slices;

namespace Mux.Discovery.Kubernetes.Tests.Server;

/// <summary>An EndpointSlice, in the texts in which an API server sends it.</summary>
internal sealed record SliceText(string Name, int Version, params Pod[] Pods)
{
    /// <summary>What ends a watch whose version is too old.</summary>
    public const string Gone =
        """{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 101 (190001)","reason":"Expired","code":410}}""" + "\n";

    public string AddressType { get; init; } = "IPv4";

    public (string? Name, int? Number, string Protocol)[] Ports { get; init; } = [("rpc", 7070, "TCP")];

    public string Added => Event("ADDED");

    public string Modified => Event("MODIFIED");

    public string Deleted => Event("DELETED");

    public static string List(int version, params SliceText[] slices) => Page(version, null, slices);

    public static string Page(int version, string? next, params SliceText[] slices)
    {
        var metadata = new JsonObject { ["resourceVersion"] = $"{version}" };
        if (next is not null) metadata["continue"] = next;
        return new JsonObject
        {
            ["kind"] = "EndpointSliceList",
            ["apiVersion"] = "discovery.k8s.io/v1",
            ["metadata"] = metadata,
            ["items"] = new JsonArray([.. slices.Select(slice => slice.Body())]),
        }.ToJsonString() + "\n";
    }

    public static string Bookmark(int version, string annotations = "") =>
        $"{{\"type\":\"BOOKMARK\",\"object\":{{\"kind\":\"EndpointSlice\",\"apiVersion\":\"discovery.k8s.io/v1\",\"metadata\":{{\"resourceVersion\":\"{version}\",\"creationTimestamp\":null{annotations}}},"
        + "\"addressType\":\"\",\"endpoints\":null,\"ports\":null}}\n";

    public static string Status(int code, string reason, string message) => new JsonObject
    {
        ["kind"] = "Status",
        ["apiVersion"] = "v1",
        ["metadata"] = new JsonObject(),
        ["status"] = "Failure",
        ["message"] = message,
        ["reason"] = reason,
        ["code"] = code,
    }.ToJsonString() + "\n";

    /// <summary>As the library reads it, for tests of the table alone.</summary>
    public EndpointSlice Read() => JsonSerializer.Deserialize(List(1, this), SliceJson.Default.EndpointSliceList)!.Items!.Single();

    private string Event(string type) => new JsonObject { ["type"] = type, ["object"] = Typed() }.ToJsonString() + "\n";

    private JsonObject Typed()
    {
        var body = Body();
        body.Insert(0, "kind", "EndpointSlice");
        body.Insert(1, "apiVersion", "discovery.k8s.io/v1");
        return body;
    }

    private JsonObject Body() => new()
    {
        ["metadata"] = new JsonObject
        {
            ["name"] = Name,
            ["generateName"] = "orders-",
            ["namespace"] = "prod",
            ["uid"] = $"uid-of-{Name}",
            ["resourceVersion"] = $"{Version}",
            ["generation"] = 4,
            ["creationTimestamp"] = "2026-03-01T09:12:44Z",
            ["labels"] = new JsonObject { ["endpointslice.kubernetes.io/managed-by"] = "endpointslice-controller.k8s.io", ["kubernetes.io/service-name"] = "orders" },
            ["annotations"] = new JsonObject { ["endpoints.kubernetes.io/last-change-trigger-time"] = "2026-03-01T09:12:44Z" },
            ["ownerReferences"] = new JsonArray(new JsonObject { ["apiVersion"] = "v1", ["kind"] = "Service", ["name"] = "orders", ["uid"] = "uid-of-orders", ["controller"] = true, ["blockOwnerDeletion"] = true }),
        },
        ["addressType"] = AddressType,
        ["endpoints"] = new JsonArray([.. Pods.Select(pod => pod.ToJson())]),
        ["ports"] = new JsonArray([.. Ports.Select(PortJson)]),
    };

    private static JsonObject PortJson((string? Name, int? Number, string Protocol) port)
    {
        var json = new JsonObject { ["protocol"] = port.Protocol };
        if (port.Name is not null) json["name"] = port.Name;
        if (port.Number is not null) json["port"] = port.Number;
        return json;
    }
}
