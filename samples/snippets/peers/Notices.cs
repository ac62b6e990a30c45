using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Chatting;

public sealed class Notices(MuxPeers<IChatClient> peers)
{
    public ValueTask TellAsync(string user, string who) => peers.OfUser(user).Joined(who); // all connections of the user

    public ValueTask AnswerAsync(string id, string who) => peers.WithId(id).Joined(who); // the Id of a caller, which another server may have passed on

    public async Task<bool> TryTellAsync(string user, string who)
    {
        var delivery = await peers.SendAsync(to => to.OfUser(user).Joined(who));
        return delivery is { Missed.Count: 0, MissedByOtherServers: false };
    }
}

public static class NoticesSetup
{
    public static void AddNotices(this IServiceCollection services)
    {
        services.AddMuxRedis("cache:6379");
        services.AddMuxPeers<IChatClient>(peers => peers.IsShared = true);
    }
}
