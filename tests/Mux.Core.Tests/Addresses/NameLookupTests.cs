using System.Net;
using System.Net.Sockets;
using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Addresses;

/// <summary>Host names, looked up beside the thread pool.</summary>
public sealed class NameLookupTests
{
    [Fact]
    public async Task A_name_stands_for_its_addresses()
    {
        var addresses = await NameLookup.RunAsync("localhost", TestContext.Current.CancellationToken).Within("the lookup");
        Assert.NotEmpty(addresses);
        Assert.All(addresses, address => Assert.True(IPAddress.IsLoopback(address)));
    }

    [Fact]
    public async Task A_name_that_cannot_be_is_a_failure_of_sockets()
    {
        var name = new string('a', 70); // a label has 63 characters at most
        await Assert.ThrowsAsync<SocketException>(() => NameLookup.RunAsync(name, TestContext.Current.CancellationToken).Within("the end of the lookup"));
    }

    [Fact]
    public async Task A_cancelled_lookup_ends_although_the_name_server_has_not_answered()
    {
        using var cancellation = new CancellationTokenSource();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => NameLookup.RunAsync("localhost", cancellation.Token).Within("the end of the lookup"));
    }
}
