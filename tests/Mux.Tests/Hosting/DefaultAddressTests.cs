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

    /// <summary>A port would else stay open of which nobody knows.</summary>
    [Fact]
    public async Task A_first_endpoint_that_is_announced_to_a_server_at_its_default_address_is_told_what_to_call()
    {
        await using var host = await StartAsync(NewServer());
        var sut = host.Services.GetRequiredService<MuxServerEndpoints>();
        var error = Assert.Throws<InvalidOperationException>(sut.Announce);
        Assert.Equal(
            "The server listens at its default address mux://127.0.0.1:7070 already, because nothing set its address and no endpoint was announced before. Announce endpoints before the host starts, or call AddMuxServer(string.Empty) for a server that does not listen itself.",
            error.Message);
        Assert.False(sut.HasAny);
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData(Default, false)]
    [InlineData("", false)]
    public async Task A_server_that_other_endpoints_leave_as_it_is_lets_them_be_announced_at_any_time(string? address, bool announces)
    {
        await using var host = await StartAsync(NewServer(address), announces);
        host.Services.GetRequiredService<MuxServerEndpoints>().Announce();
        Assert.True(host.Services.GetRequiredService<MuxServerEndpoints>().HasAny);
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
