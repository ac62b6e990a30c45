using Mux.Client;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>What tests see of a channel of several servers.</summary>
internal static class RoutedChannels
{
    public static EndpointTable Table(this MuxChannel channel) => ((EndpointRouter)channel.Route).Table;

    /// <summary>Waits until calls go to so many servers: a connection is open a moment before it is chosen.</summary>
    public static Task ChoosesAsync(this MuxChannel channel, int servers) => Eventually.Holds(
        () => channel.Table().Set.Pickable.Length == servers, () => $"{servers} servers to choose from; there are {string.Join(", ", channel.GetEndpoints())}");
}
