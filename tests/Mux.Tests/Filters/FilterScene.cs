using Mux.Filters;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Filters;

/// <summary>A server and a channel with filters.</summary>
internal static class FilterScene
{
    public static T Start<T>(Scene scene, T service, MuxFilter[] ofServer, MuxFilter[] ofClient)
        where T : class
    {
        var server = scene.StartServer(server => server.AddService(service), options => AddAll(options.Filters, ofServer));
        return scene.CreateChannel(server, options => AddAll(options.Filters, ofClient)).CreateProxy<T>();
    }

    private static void AddAll(MuxFilterCollection filters, MuxFilter[] added)
    {
        foreach (var filter in added) filters.Add(filter);
    }
}
