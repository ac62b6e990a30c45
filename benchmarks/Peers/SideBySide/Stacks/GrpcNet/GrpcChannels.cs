using System.Globalization;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace SideBySide.Stacks.GrpcNet;

/// <summary>What gRPC over HTTP/2 has at both ends, for grpc-dotnet and protobuf-net.Grpc.</summary>
internal static class GrpcChannels
{
    // Above the largest message, so that 1 MiB is on its way without waiting for a window.
    private const int StreamWindow = 2 << 20;

    // Four messages of 1 MiB are in flight on a connection.
    private const int ConnectionWindow = 8 << 20;

    /// <param name="port">Of the server.</param>
    /// <param name="isTuned">False for the handler that a channel makes by itself.</param>
    public static GrpcChannel Open(int port, bool isTuned)
    {
        var handler = Loopback.Handler();
        handler.EnableMultipleHttp2Connections = true; // as in the handler that a channel makes by itself
        if (isTuned)
        {
            handler.InitialHttp2StreamWindowSize = StreamWindow;
            handler.UseProxy = false;
            handler.AllowAutoRedirect = false;
            handler.UseCookies = false;
            handler.ActivityHeadersPropagator = null;
        }

        return GrpcChannel.ForAddress(
            string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}"), new GrpcChannelOptions { HttpHandler = handler, DisposeHttpClient = true });
    }

    public static void SetWindows(KestrelServerLimits limits)
    {
        limits.Http2.InitialStreamWindowSize = StreamWindow;
        limits.Http2.InitialConnectionWindowSize = ConnectionWindow;
    }
}
