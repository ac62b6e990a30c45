using System.Text.Json.Nodes;

namespace Mux.Discovery.Kubernetes.Tests.Server;

/// <summary>An endpoint of a slice, as the controller of Kubernetes writes it.</summary>
internal sealed record Pod(string Address, string? Zone = "eu-1a")
{
    public bool? Ready { get; init; } = true;

    public bool? Serving { get; init; } = true;

    public bool? Terminating { get; init; } = false;

    public string? HintedZone { get; init; }

    public string Uid => $"uid-of-{Address}";

    /// <summary>Shuts down, and still answers.</summary>
    public Pod Leaving => this with { Ready = false, Serving = true, Terminating = true };

    /// <summary>Its readiness probe fails.</summary>
    public Pod Unready => this with { Ready = false, Serving = false, Terminating = false };

    public JsonObject ToJson()
    {
        var conditions = new JsonObject();
        if (Ready is not null) conditions["ready"] = Ready;
        if (Serving is not null) conditions["serving"] = Serving;
        if (Terminating is not null) conditions["terminating"] = Terminating;
        var json = new JsonObject
        {
            ["addresses"] = new JsonArray(Address),
            ["conditions"] = conditions,
            ["targetRef"] = new JsonObject { ["kind"] = "Pod", ["namespace"] = "prod", ["name"] = $"orders-{Address.Replace('.', '-')}", ["uid"] = Uid },
            ["nodeName"] = "node-1",
        };
        if (Zone is not null) json["zone"] = Zone;
        if (HintedZone is not null) json["hints"] = new JsonObject { ["forZones"] = new JsonArray(new JsonObject { ["name"] = HintedZone }) };
        return json;
    }
}
