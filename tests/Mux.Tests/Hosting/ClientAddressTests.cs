using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;

namespace Mux.Tests.Hosting;

/// <summary>Where the client without a name connects to if nothing says where.</summary>
public sealed class ClientAddressTests : HostingTests
{
    private const string Default = "mux://127.0.0.1:7070";

    [Fact]
    public async Task A_client_that_neither_configuration_nor_code_gave_an_address_warns_of_its_default_at_the_start()
    {
        var builder = NewHost();
        builder.Services.AddMuxClient().AddProxy<IDesk>();
        builder.Services.AddMuxClient().AddProxy<IShape>();
        await using var host = await StartAsync(builder);
        var entry = Assert.Single(Logs.Of("ClientAddressDefault"));
        Assert.Equal((2060, LogLevel.Warning), (entry.Id, entry.Level));
        Assert.Equal(
            "The client connects to the default address mux://127.0.0.1:7070: the configuration has no section Mux:Clients:Default, and no code sets an address. Is the file with the configuration missing? Set Mux:Clients:Default:Address, or pass the address to AddMuxClient.",
            entry.Text);
    }

    [Theory]
    [InlineData(Default, null, false)]
    [InlineData(null, Default, false)]
    [InlineData(null, null, true)]
    public async Task A_client_with_an_address_or_a_section_does_not_warn(string? inCall, string? inOptions, bool hasSection)
    {
        var builder = NewHost(hasSection ? [("Mux:Clients:Default:MinConnections", "2")] : []);
        Action<MuxChannelOptions> configure = options => options.Address = inOptions ?? options.Address;
        _ = inCall is null ? builder.Services.AddMuxClient(configure) : builder.Services.AddMuxClient(inCall, configure);
        await using var host = await StartAsync(builder);
        Assert.Empty(Logs.Of("ClientAddressDefault"));
    }

    [Fact]
    public async Task A_client_with_a_name_does_not_warn()
    {
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("orders", Address);
        await using var host = await StartAsync(builder);
        Assert.Empty(Logs.Of("ClientAddressDefault"));
    }
}
