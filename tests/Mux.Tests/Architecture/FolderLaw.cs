namespace Mux.Tests.Architecture;

/// <summary>The dependency law, row by row from the bottom. A row may only name rows above it, but for the two that hold each other inside Mux.Abstractions.</summary>
internal static class FolderLaw
{
    private static readonly string[] s_spansOnly = ["System.Threading", "System.Net", "System.IO", "Microsoft"];
    private static readonly string[] s_noHosting = ["Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Options", "Microsoft.Extensions.Configuration"];
    private static readonly string[] s_noSockets = ["System.Net", .. s_noHosting];

    public static readonly LayerRule[] Rows =
    [
        new("Abstractions", [], s_noSockets),
        new("Abstractions.Buffers", [], s_noSockets), // which arrays are kept, and until when
        new("Abstractions.Serialization", ["Abstractions", "Abstractions.Buffers"], s_spansOnly),
        new("Abstractions.Serialization.Json", ["Abstractions.Serialization"], s_noSockets),
        new("Abstractions.Serialization.Raw", ["Abstractions.Serialization", "Abstractions.Buffers"], s_noSockets),
        new("Abstractions.Protobuf", ["Abstractions", "Abstractions.Serialization"], s_spansOnly), // what generated codecs call; no seam, so nothing here names it
        new("Abstractions.Contracts", ["Abstractions", "Abstractions.Serialization"], s_noSockets),
        new("Abstractions.Callbacks", ["Abstractions", "Abstractions.Contracts", "Abstractions.Serialization", "Abstractions.Protobuf"], s_noSockets), // messages upon the streams of a call; the engine knows nothing of them
        new("Abstractions.Filters", ["Abstractions", "Abstractions.Contracts"], s_noSockets),
        new("Abstractions.Transports", ["Abstractions"], s_noSockets),
        new("Abstractions.Discovery", ["Abstractions"], s_noSockets),

        new("Core.Buffers", ["Abstractions.Buffers"], s_noSockets),
        new("Core.Wire", ["Abstractions", "Abstractions.Contracts.MethodShape"], s_spansOnly), // pure functions on spans
        new("Core.Framing", ["Core.Wire"], s_spansOnly),
        new("Core.Overload", ["Abstractions"], s_noSockets), // pure: which share of the calls an overloaded server takes
        new("Core.Execution", [], s_noSockets), // who runs user code, and who goes on when it does not return
        new("Core.Ordering", [], s_noSockets), // whose turn it is among the calls of a key
        new("Core.Lanes", ["Core.Wire", "Core.Buffers", "Abstractions", "Abstractions.Serialization.MessageBuffer"], s_noSockets), // what waits to be sent, and whose turn it is
        new("Core.Timing", ["Core.Execution"], s_noSockets),
        new("Core.Growth", [], s_spansOnly), // pure: how many connections an endpoint has
        new("Core.Resilience", ["Abstractions"], s_spansOnly), // pure: which failed calls are sent again, and when
        new("Core.Sessions.Budgets", ["Core.Timing", "Core.Buffers.IHeldMemory", "Core.Wire.ConnectionCode", "Core.Wire.ProtocolViolation"], s_spansOnly.Where(name => name != "System.Threading").ToArray()), // pure: time and counts come in
        new("Core.Sessions.Setup", ["Core.Sessions.Budgets", "Core.Overload", "Core.Timing", "Core.Execution", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Transports"], s_noSockets), // what a connection is told at birth
        new("Core.Sessions.Lifecycle", ["Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Framing", "Core.Wire", "Abstractions.Transports"], s_noSockets), // pure: when and why a connection ends
        new("Core.Sessions.Messages", ["Core.Sessions.Budgets", "Core.Timing", "Core.Wire", "Core.Buffers", "Abstractions.Serialization.ReceivedArray"], s_noSockets), // what has arrived in part
        new("Core.Sessions.Calls", ["Core.Sessions.Messages", "Core.Timing", "Core.Lanes", "Core.Wire", "Core.Buffers", "Abstractions", "Abstractions.Contracts"], s_noSockets), // a call, whoever has it
        new("Core.Sessions", ["Core.Sessions.Calls", "Core.Sessions.Messages", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Lanes", "Core.Execution", "Core.Framing", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Transports"], s_noSockets), // what the parts of a connection share
        new("Core.Sessions.Admission", ["Core.Sessions", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Lanes", "Core.Execution", "Core.Framing", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Transports"], s_noSockets),
        new("Core.Sessions.Streaming", ["Core.Sessions", "Core.Sessions.Calls", "Core.Sessions.Messages", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Lanes", "Core.Execution", "Core.Framing", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization.MessageWriter", "Abstractions.Serialization.MessageBuffer"], s_noSockets), // items are encoded into the outgoing block; by whom is not known here
        new("Core.Sessions.Outgoing", ["Core.Sessions", "Core.Sessions.Streaming", "Core.Sessions.Calls", "Core.Sessions.Messages", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Lanes", "Core.Execution", "Core.Framing", "Core.Wire", "Abstractions", "Abstractions.Contracts"], s_noSockets), // knows nothing of Incoming, nor that of it
        new("Core.Sessions.Incoming", ["Core.Ordering", "Core.Sessions", "Core.Overload", "Core.Sessions.Streaming", "Core.Sessions.Calls", "Core.Sessions.Messages", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Lanes", "Core.Execution", "Core.Framing", "Core.Wire", "Core.Buffers", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization.MessageWriter", "Abstractions.Serialization.MessageBuffer"], s_noSockets), // so are replies
        new("Core.Connections", ["Core.Sessions", "Core.Sessions.Admission", "Core.Sessions.Streaming", "Core.Sessions.Outgoing", "Core.Sessions.Incoming", "Core.Sessions.Calls", "Core.Sessions.Messages", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Lanes", "Core.Execution", "Core.Framing", "Core.Wire", "Core.Buffers", "Abstractions", "Abstractions.Contracts", "Abstractions.Transports", "Core.Resilience"], s_noSockets), // composes
        new("Core.Logging", [], s_noSockets), // numbers of events, and a guard against loggers that throw
        new("Core.Addresses", ["Core.Execution", "Abstractions", "Abstractions.Transports"], s_noHosting), // what names a peer
        new("Core.Transports.Links", ["Core.Execution", "Core.Buffers", "Abstractions.Transports"], s_noSockets), // the life of a link, whatever carries its bytes
        new("Core.Transports.InMemory", ["Core.Execution", "Core.Transports.Links", "Core.Buffers", "Abstractions", "Abstractions.Transports"], s_noSockets),
        new("Core.Transports.Sockets", ["Core.Transports.Links", "Core.Addresses", "Core.Timing", "Core.Execution", "Core.Buffers", "Core.Logging", "Abstractions", "Abstractions.Transports"], s_noHosting), // dials end by the ticker and run on threads of the engine
        new("Core.Transports.Epoll", ["Core.Transports.Links", "Core.Transports.Sockets", "Core.Addresses", "Core.Execution", "Core.Logging", "Abstractions", "Abstractions.Transports"], s_noHosting), // what all sockets need
        new("Core.Transports.Streams", ["Core.Execution", "Core.Transports.Links", "Core.Transports.Sockets.SocketFailure", "Core.Addresses", "Core.Buffers", "Core.Logging", "Abstractions", "Abstractions.Transports"], s_noHosting), // what errors of sockets are called, also behind a stream
        new("Core.Transports.WebSockets", ["Core.Transports.Streams", "Abstractions", "Abstractions.Transports"], s_noHosting),
        new("Core.Diagnostics", ["Core.Ordering", "Core.Logging", "Core.Wire.TraceContext", "Core.Execution", "Core.Connections", "Core.Sessions.Calls", "Core.Sessions.Lifecycle", "Core.Sessions.Budgets", "Core.Timing", "Core.MuxProfile", "Abstractions", "Abstractions.Contracts", "Core.Overload", "Core.Resilience"], s_noSockets),
        new("Core.Discovery", ["Core.Execution", "Core.Addresses", "Core.Timing", "Core.Diagnostics", "Abstractions", "Abstractions.Discovery"], s_noHosting), // who the servers of a channel are; not how they are reached
        new("Core.Transports.Tls", ["Core.Execution", "Core.Transports.Links", "Core.Transports.Sockets", "Core.Transports.Epoll", "Core.Transports.Streams", "Core.Addresses", "Core.Logging", "Core.Diagnostics", "Core.Wire.ForeignBytes", "Core.Wire.ForeignProtocol", "Abstractions", "Abstractions.Transports"], s_noHosting), // upon the links of an engine, by streams
        new("Core.Items", ["Core.Execution", "Core.Sessions", "Core.Sessions.Calls", "Core.Sessions.Streaming", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization"], s_noSockets), // what both sides do with the items of a stream
        new("Core.Backplanes", ["Core.Execution", "Core.Diagnostics", "Core.Logging", "Abstractions"], s_noSockets), // the seam to other servers: what carries messages between them, whatever they mean
        new("Core.Topics", ["Core.Backplanes", "Core.Items", "Core.Diagnostics", "Core.Execution", "Core.Sessions", "Core.Sessions.Streaming", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization"], s_noSockets), // the same items for many streams
        new("Core.Filters", ["Core.Logging", "Core.Timing", "Abstractions", "Abstractions.Contracts", "Abstractions.Filters"], s_noSockets), // a call on its way through its filters, whichever side it is on
        new("Core.Calls", ["Abstractions.Callbacks", "Core.Filters", "Abstractions.Filters", "Core.Resilience", "Core.Wire", "Core.Lanes.BulkMessage", "Core.Items", "Core.Execution", "Core.Connections", "Core.Sessions.Calls", "Core.Sessions.Messages", "Core.Sessions.Streaming", "Core.Timing", "Core.Diagnostics", "Core.Buffers", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization"], s_noSockets), // the one seam: CallRoute carries a call to one address, to many, or back
        new("Core.Services", ["Core.Ordering", "Core.Filters", "Abstractions.Filters", "Core.Wire", "Core.Items", "Core.Execution", "Core.Sessions", "Core.Sessions.Incoming", "Core.Sessions.Streaming", "Core.Sessions.Setup", "Core.Timing", "Core.Diagnostics", "Core.Buffers", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization"], s_noSockets),
        new("Core.Forwarding", ["Core.Logging", "Core.Services", "Core.Ordering", "Core.Calls", "Core.Wire", "Core.Execution", "Core.Sessions", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Sessions.Calls", "Core.Sessions.Incoming", "Core.Sessions.Streaming", "Core.Timing", "Core.Diagnostics", "Core.Buffers", "Core.Resilience", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization", "Abstractions.Serialization.Raw"], s_noSockets), // calls that a server does not serve itself: from its requests to a route, undecoded
        new("Core.Peers", ["Core.Addresses", "Core.Filters", "Abstractions.Filters", "Core.Calls", "Core.Connections", "Core.Sessions", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Outgoing", "Core.Sessions.Calls", "Core.Execution", "Core.Timing", "Core.Diagnostics", "Core.Wire", "Abstractions", "Abstractions.Contracts"], s_noSockets), // a connection as user code sees it from its other side
        new("Core.Groups", ["Core.Execution", "Core.Logging", "Core.Backplanes", "Core.Peers", "Core.Topics", "Core.Calls", "Core.Connections", "Core.Sessions", "Core.Sessions.Budgets", "Core.Sessions.Lifecycle", "Core.Sessions.Outgoing", "Core.Sessions.Calls", "Core.Lanes", "Core.Buffers", "Core.Wire", "Core.Timing", "Core.Diagnostics", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization"], s_noSockets), // calls to many peers at once
        new("Core.Balancing", ["Abstractions", "Abstractions.Contracts", "Abstractions.Discovery"], s_noSockets), // pure: which endpoint gets a call; time, loads and outcomes come in
        new("Core.Endpoints", ["Core.Ordering", "Core.Peers", "Core.Balancing", "Core.Discovery", "Core.Calls", "Core.Execution", "Core.Connections", "Core.Sessions", "Core.Sessions.Calls", "Core.Sessions.Incoming", "Core.Sessions.Lifecycle", "Core.Sessions.Outgoing", "Core.Sessions.Setup", "Core.Timing", "Core.Diagnostics", "Core.Buffers", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Discovery", "Abstractions.Transports", "Core.Balancing", "Core.Resilience", "Core.Overload", "Core.Growth"], s_noSockets),
        new("Core.Endpoints.PerCall", ["Core.Endpoints", "Core.Discovery", "Core.Calls", "Core.Execution", "Core.Connections", "Core.Sessions", "Core.Sessions.Setup", "Core.Sessions.Calls", "Core.Sessions.Incoming", "Core.Sessions.Lifecycle", "Core.Sessions.Outgoing", "Core.Timing", "Core.Diagnostics", "Core.Buffers", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Discovery", "Abstractions.Transports"], s_noSockets), // the other way to have connections to one address: one for each call
        new("Core.Serving", ["Core.Ordering", "Core.Peers", "Core.Addresses", "Core.Overload", "Core.Services", "Core.Execution", "Core.Connections", "Core.Sessions", "Core.Sessions.Calls", "Core.Sessions.Incoming", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Diagnostics", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Transports"], s_noSockets),
        new("Core.Identity", ["Core.Addresses", "Core.Logging", "Core.Sessions.Setup", "Core.Timing", "Core.Diagnostics", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Transports"], s_noHosting),
        new("Core.Health", ["Core.Services", "Abstractions", "Abstractions.Contracts", "Abstractions.Serialization", "Abstractions.Protobuf"], s_noSockets), // what a server says of its state
        new("Core.Contracts", ["Abstractions", "Abstractions.Contracts", "Abstractions.Serialization", "Abstractions.Serialization.Raw"], s_noSockets), // calls by name, of contracts that this process does not have
        new("Core", ["Core.Contracts", "Core.Health", "Core.Ordering", "Core.Backplanes", "Core.Topics", "Core.Groups", "Core.Peers", "Core.Sessions.Incoming", "Core.Filters", "Abstractions.Filters", "Core.Forwarding", "Core.Addresses", "Core.Logging", "Core.Identity", "Core.Execution", "Core.Calls", "Core.Services", "Core.Endpoints", "Core.Endpoints.PerCall", "Core.Serving", "Core.Connections", "Core.Sessions.Calls", "Core.Sessions.Lifecycle", "Core.Sessions.Setup", "Core.Sessions.Budgets", "Core.Timing", "Core.Diagnostics", "Core.Discovery", "Core.Transports.Epoll", "Core.Transports.InMemory", "Core.Transports.Sockets", "Core.Transports.Streams", "Core.Transports.Tls", "Core.Transports.WebSockets", "Core.Wire", "Abstractions", "Abstractions.Contracts", "Abstractions.Discovery", "Abstractions.Transports", "Core.Balancing", "Core.Resilience"], s_noSockets),

        new("Mux.Configuration", ["Core", "Core.Identity", "Core.Transports.Tls", "Abstractions", "Abstractions.Discovery"], []),
        new("Mux.Hosting", ["Core.Filters", "Abstractions.Filters", "Mux.Configuration", "Core", "Core.Services", "Abstractions", "Abstractions.Discovery"], []),
        new("Mux.DependencyInjection", ["Core.Backplanes", "Core.Filters", "Abstractions.Filters", "Core.Identity", "Mux.Hosting", "Mux.Configuration", "Core", "Core.Services", "Abstractions", "Abstractions.Contracts", "Abstractions.Discovery"], []),
        new("Mux.AspNetCore.Endpoints", ["Mux.Hosting", "Core"], []),
        new("Mux.AspNetCore.Kestrel", ["Mux.AspNetCore.Endpoints", "Core", "Core.Transports.Streams", "Core.Transports.Tls", "Abstractions.Transports"], []),
        new("Mux.AspNetCore.WebSockets", ["Mux.AspNetCore.Endpoints", "Core", "Core.Transports.Streams", "Core.Transports.WebSockets", "Abstractions.Transports"], []),
        new("Mux.AspNetCore.Health", ["Core"], []),
        new("Mux.Discovery.Etcd.Protocol", [], s_noHosting), // HTTP and JSON of etcd; knows nothing of endpoints
        new("Mux.Discovery.Etcd", ["Mux.Discovery.Etcd.Protocol", "Core", "Abstractions", "Abstractions.Discovery"], s_noHosting),
        new("Mux.Discovery.Etcd.DependencyInjection", ["Mux.Discovery.Etcd", "Mux.DependencyInjection", "Core", "Abstractions", "Abstractions.Discovery"], []),
        new("Mux.Redis", ["Core.Backplanes", "Core", "Abstractions"], ["Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting"]), // one library; knows nothing of topics and groups
        new("Mux.Redis.DependencyInjection", ["Mux.Redis", "Core.Backplanes", "Core", "Abstractions"], []),
        new("Mux.Discovery.Kubernetes.Slices", ["Abstractions", "Abstractions.Discovery"], s_noSockets), // pure: what the API server says comes in, sets come out
        new("Mux.Discovery.Kubernetes.Api", ["Mux.Discovery.Kubernetes.Slices"], s_noHosting), // HTTP, files and what ends a watch
        new("Mux.Discovery.Kubernetes", ["Mux.Discovery.Kubernetes.Slices", "Mux.Discovery.Kubernetes.Api", "Abstractions", "Abstractions.Discovery"], s_noSockets),
        new("Mux.Discovery.Kubernetes.DependencyInjection", ["Mux.Discovery.Kubernetes", "Mux.Discovery.Kubernetes.Api", "Mux.DependencyInjection", "Core", "Abstractions", "Abstractions.Discovery"], []),
    ];

    /// <summary>The row of a type, or null: the compiler made it, or it is not ours.</summary>
    public static LayerRule? RowOf(Type type)
    {
        var outermost = type;
        while (outermost.DeclaringType is { } declaring) outermost = declaring;
        var assembly = outermost.Assembly.GetName().Name!;
        var layer = LayerOf(assembly, outermost.Namespace);
        return layer is null ? null : Array.Find(Rows, row => row.Layer == layer) ?? Rows.Where(row => layer.StartsWith(row.Layer + '.', StringComparison.Ordinal)).MaxBy(row => row.Layer.Length);
    }

    private static string? LayerOf(string assembly, string? space) => (assembly, space) switch
    {
        ("Mux", "Microsoft.Extensions.DependencyInjection") => "Mux.DependencyInjection", // its extension methods stand where users look for them
        ("Mux.AspNetCore", "Microsoft.AspNetCore.Hosting") => "Mux.AspNetCore.Kestrel",
        ("Mux.AspNetCore", "Microsoft.AspNetCore.Builder") => "Mux.AspNetCore.WebSockets",
        ("Mux.AspNetCore", "Microsoft.Extensions.DependencyInjection") => "Mux.AspNetCore.Health",
        ("Mux.Discovery.Kubernetes", "Microsoft.Extensions.DependencyInjection") => "Mux.Discovery.Kubernetes.DependencyInjection",
        ("Mux.Discovery.Kubernetes", _) when space?.StartsWith("Mux.", StringComparison.Ordinal) == true => space,
        ("Mux.AspNetCore", _) when space?.StartsWith("Mux.", StringComparison.Ordinal) == true => space,
        ("Mux.Redis", "Microsoft.Extensions.DependencyInjection") => "Mux.Redis.DependencyInjection",
        ("Mux.Redis", _) when space?.StartsWith("Mux.", StringComparison.Ordinal) == true => space,
        ("Mux.Discovery.Etcd", "Microsoft.Extensions.DependencyInjection") => "Mux.Discovery.Etcd.DependencyInjection",
        ("Mux.Discovery.Etcd", _) when space?.StartsWith("Mux.", StringComparison.Ordinal) == true => space,
        ("Mux", _) when space?.StartsWith("Mux.", StringComparison.Ordinal) == true => space,
        ("Mux.Core" or "Mux.Abstractions", "Mux") => assembly["Mux.".Length..],
        ("Mux.Core" or "Mux.Abstractions", _) when space?.StartsWith("Mux.", StringComparison.Ordinal) == true => assembly["Mux.".Length..] + space["Mux".Length..],
        _ => null,
    };
}
