using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Channels;

/// <summary>Named pipes without a transport being named.</summary>
public sealed class PipeAddressTests
{
    [Fact(Timeout = 60_000)]
    public async Task A_server_and_a_channel_meet_at_a_named_pipe_by_its_address_alone()
    {
        var address = $"mux+pipe://mux-{Guid.NewGuid():N}";
        await using var server = new MuxServer(address).AddService<IDesk>(new Desk());
        server.Start();
        Assert.Equal(address, server.Address.ToString());
        await using var channel = MuxChannel.Create(address);
        Assert.Equal(5, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 5 }).AsTask().Within("the reply")).Id);
    }
}
