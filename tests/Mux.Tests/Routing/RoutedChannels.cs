using Mux.Endpoints;

namespace Mux.Tests.Routing;

/// <summary>What tests see of a channel of several servers.</summary>
internal static class RoutedChannels
{
    public static EndpointTable Table(this MuxChannel channel) => ((EndpointRouter)channel.Route).Table;
}
