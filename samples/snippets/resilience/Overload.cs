using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class Overload
{
    public static void AddPromptServer(this IServiceCollection services) =>
        services.AddMuxServer("mux://127.0.0.1:7070", server => server.MaxQueueTime = TimeSpan.FromMilliseconds(5));
}

[MuxService("shop.Till")]
public interface ITill
{
    [MuxMethod(Priority = MuxCallPriority.High)]
    ValueTask PayAsync(int order, CancellationToken cancellationToken = default);

    [MuxMethod(Priority = MuxCallPriority.Low)]
    ValueTask<int> SuggestAsync(int order, CancellationToken cancellationToken = default);
}
