using System.Reflection;
using Mux.Backplanes;
using Mux.TestSupport.Transports;
using StackExchange.Redis;

namespace Mux.Redis.Tests;

/// <summary>In which order a subscription begins in the lives of a connection.</summary>
public sealed class RedisSubscriptionTests
{
    [Fact]
    public async Task A_beginning_of_an_earlier_life_that_comes_late_undoes_nothing()
    {
        var redis = DispatchProxy.Create<ISubscriber, SilentSubscriber>();
        var silent = (SilentSubscriber)(object)redis;
        var gate = new Lock();
        var sut = new RedisSubscription(new RedisNames("mux", "test"), new Nobody(), 0, new NoWatch());
        var present = sut.BeginAsync(redis, gate, TimeSpan.FromMinutes(1), life: 2);
        await sut.BeginAsync(redis, gate, TimeSpan.FromMinutes(1), life: 1).Within("the beginning that comes late");
        Assert.Equal(1, silent.Subscribed);
        silent.Answer.SetException(new IOException("as planned"));
        await Assert.ThrowsAsync<IOException>(() => present.Within("the failure of the present one"));
        _ = sut.BeginAsync(redis, gate, TimeSpan.FromMinutes(1), life: 3);
        Assert.Equal(2, silent.Subscribed);
    }

    private sealed class Nobody : BackplaneSubscriber
    {
        public override void OnMessage(BackplaneMessage message)
        {
        }
    }

    private sealed class NoWatch : IMessageWatch
    {
        public void OnRefused(RedisNames names, string reason)
        {
        }

        public void OnItemRefused(RedisNames names, long tag)
        {
        }

        public void OnNumbered(RedisNames names, long tag, long number)
        {
        }

        public void OnMessage()
        {
        }

        public void OnForeign(string channel)
        {
        }
    }
}
