using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.Hosting;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Hosting;

/// <summary>Where a server listens if nothing says where.</summary>
public sealed class DefaultAddressTests : HostingTests
{
    private const string Default = "mux://127.0.0.1:7070";

    [Fact]
    public async Task A_server_that_neither_configuration_nor_code_gave_an_address_warns_of_its_default()
    {
        await using var host = await StartAsync(NewServer());
        var entry = Assert.Single(Logs.Of("ServerAddressDefault"));
        Assert.Equal(LogLevel.Warning, entry.Level);
        Assert.Equal(
            "The server listens at the default address mux://127.0.0.1:7070: the configuration has no section Mux:Server, and no code sets an address. Is the file with the configuration missing? Set Mux:Server:Address, or pass the address to AddMuxServer.",
            entry.Text);
    }

    [Theory]
    [InlineData(Default, null, false)]
    [InlineData(null, Default, false)]
    [InlineData(null, null, true)]
    [InlineData(Address, null, false)]
    public async Task A_server_with_an_address_or_a_section_does_not_warn(string? inCall, string? inOptions, bool hasSection)
    {
        var builder = NewServer(inCall, options => options.Address = inOptions ?? options.Address, hasSection ? [("Mux:Server:MaxConnections", "9")] : []);
        await using var host = await StartAsync(builder);
        Assert.Equal(inCall ?? Default, host.Services.GetRequiredService<MuxServer>().Address.ToString());
        Assert.Empty(Logs.Of("ServerAddressDefault"));
    }

    [Fact]
    public async Task A_server_with_other_endpoints_listens_only_at_an_address_that_is_set()
    {
        await using var silent = await StartAsync(NewServer(), announces: true);
        Assert.Throws<InvalidOperationException>(() => silent.Services.GetRequiredService<MuxServer>().Address);
        Assert.Empty(Logs.Of("ServerAddressDefault"));

        await using var configured = await StartAsync(NewServer(configuration: ("Mux:Server:Address", "mux://configured:1")), announces: true);
        await using var coded = await StartAsync(NewServer(Default), announces: true);
        Assert.Equal("mux://configured:1", configured.Services.GetRequiredService<MuxServer>().Address.ToString());
        Assert.Equal(Default, coded.Services.GetRequiredService<MuxServer>().Address.ToString());
    }

    private static async Task<RunningHost> StartAsync(HostApplicationBuilder builder, bool announces)
    {
        var host = builder.Build();
        if (announces) host.Services.GetRequiredService<MuxServerEndpoints>().Announce();
        await host.StartAsync(TestContext.Current.CancellationToken).Within("the start of a host");
        return new RunningHost(host);
    }

    private HostApplicationBuilder NewServer(string? address = null, Action<MuxServerOptions>? configure = null, params (string, string)[] configuration)
    {
        var builder = NewHost(configuration);
        builder.Services.AddMuxServer(address, configure).AddService<IDesk, Desk>();
        return builder;
    }
}
