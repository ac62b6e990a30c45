using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>A host with wrong options does not start, and says which, where they stand, and what is allowed.</summary>
public sealed class ValidationTests : HostingTests
{
    [Theory]
    [InlineData("Address", "", "Mux:Server:Address: it is empty. Expected an address such as mux://127.0.0.1:7070, or no key at all.")]
    [InlineData("MaxMessageBytes", "5000000000", "Mux:Server:MaxMessageBytes: '5000000000' is not a whole number of at most 2147483647, in digits only.")]
    [InlineData("Address", "http://somewhere", "Mux:Server:Address: ", "http://somewhere")]
    [InlineData("Dispatch", "Sideways", "Mux:Server:Dispatch: 'Sideways' is not one of Default, Inline, Pool, Adaptive.")]
    [InlineData("MaxConnections", "many", "Mux:Server:MaxConnections: 'many' is not a whole number: expected 1 to 1000000.")]
    [InlineData("MaxCallsPerConnection", "1k", "Mux:Server:MaxCallsPerConnection: '1k' is not a whole number: expected 1 to 1048575.")]
    [InlineData("MaxMethodsPerConnection", "1.5", "Mux:Server:MaxMethodsPerConnection: '1.5' is not a whole number: expected 1 to 65535.")]
    [InlineData("MaxConnections", "0", "Mux:Server:MaxConnections: '0' is not allowed: expected 1 to 1000000.")]
    [InlineData("MaxCallsPerConnection", "1048576", "Mux:Server:MaxCallsPerConnection: '1048576' is not allowed: expected 1 to 1048575.")]
    [InlineData("MaxMethodsPerConnection", "65536", "Mux:Server:MaxMethodsPerConnection: '65536' is not allowed: expected 1 to 65535.")]
    [InlineData("MaxFramePayload", "16383", "Mux:Server:MaxFramePayload: '16383' is not allowed: expected 16384 to 65536 bytes.")]
    [InlineData("MaxReassemblyBytes", "1000000", "Mux:Server:MaxReassemblyBytes: '1000000' is not allowed: expected at least MaxMessageBytes, which is 4194304. Raise it, too, or lower MaxMessageBytes.")]
    [InlineData("MaxMessageBytes", "104857600", "Mux:Server:MaxReassemblyBytes: '67108864' is not allowed: expected at least MaxMessageBytes, which is 104857600. Raise it, too, or lower MaxMessageBytes.")]
    [InlineData("MaxUnsentBytes", "65535", "Mux:Server:MaxUnsentBytes: '65535' is not allowed: expected 65536 to 1073741824 bytes.")]
    [InlineData("MaxParkedBytes", "-1", "Mux:Server:MaxParkedBytes: '-1' is not allowed: expected 65536 to 1073741824 bytes.")]
    [InlineData("MaxQueueTime", "00:00:00.0005", "Mux:Server:MaxQueueTime: '00:00:00.0005000' is not allowed: expected 00:00:00.001 or more, or -00:00:00.001 for no limit.")]
    [InlineData("HandshakeTimeout", "00:10:01", "Mux:Server:HandshakeTimeout: '00:10:01' is not allowed: expected 00:00:00.010 to 00:10:00.")]
    [InlineData("KeepAliveTime", "00:00:00", "Mux:Server:KeepAliveTime: '00:00:00' is not allowed: expected 00:00:00.010 to 24 days, or -00:00:00.001 for never.")]
    [InlineData("KeepAliveTimeout", "-00:00:01", "Mux:Server:KeepAliveTimeout: '-00:00:01' is not allowed: expected 00:00:00.010 to 00:10:00.")]
    [InlineData("IdleTimeout", "25.00:00:00", "Mux:Server:IdleTimeout: '25.00:00:00' is not allowed: expected 00:00:00.010 to 24 days, or -00:00:00.001 for never.")]
    [InlineData("StallTimeout", "01:00:01", "Mux:Server:StallTimeout: '01:00:01' is not allowed: expected 00:00:00.010 to 01:00:00.")]
    [InlineData("DrainTimeout", "-00:00:01", "Mux:Server:DrainTimeout: '-00:00:01' is not allowed: expected 00:00:00 to 01:00:00.")]
    [InlineData("DrainTimeout", "00:00:30", "Mux:Server:DrainTimeout: '00:00:30' is not allowed: it must be below the host's ShutdownTimeout of 00:00:30.")]
    [InlineData("EnableHealth", "often", "Mux:Server:EnableHealth: 'often' is not true or false.")]
    [InlineData("StopDelay", "-00:00:01", "Mux:Server:StopDelay: '-00:00:01' is not allowed: expected 00:00:00 to 00:10:00.")]
    [InlineData("StopDelay", "00:10:01", "Mux:Server:StopDelay: '00:10:01' is not allowed: expected 00:00:00 to 00:10:00.")]
    [InlineData("StopDelay", "00:00:10", "Mux:Server:StopDelay: '00:00:10' is not allowed: together with the DrainTimeout of 00:00:20 it must be below the host's ShutdownTimeout of 00:00:30.")]
    [InlineData("Profile", "Open", "Mux:Server:Profile: 'Open' is not one of Edge, Internal.")]
    [InlineData("Limits:MaxHandlers", "0", "Mux:Server:Limits:MaxHandlers: '0' is not allowed: expected 1 to 1000000000, or Unbounded.")]
    [InlineData("Limits:MaxHandlers", "none", "Mux:Server:Limits:MaxHandlers: 'none' is not a whole number, or Unbounded.")]
    [InlineData("Limits:ControlFrames", "-1", "Mux:Server:Limits:ControlFrames: '-1' is not allowed: expected 1000 to 1000000000, or Unbounded.")]
    [InlineData("Limits:FragmentTimeout", "00:00:00.500", "Mux:Server:Limits:FragmentTimeout: '00:00:00.5000000' is not allowed: expected 00:00:01 to 01:00:00, or -00:00:00.001 for no limit.")]
    [InlineData("Limits:MaxHandlersPerAddress", "0", "Mux:Server:Limits:MaxHandlersPerAddress: '0' is not allowed: expected 1 to 1000000000, or Unbounded.")]
    [InlineData("Limits:PingInterval", "02:00:00", "Mux:Server:Limits:PingInterval: '02:00:00' is not allowed: expected 00:00:00.001 to 01:00:00.")]
    [InlineData("Limits:MaxUnsentBytes", "1048575", "Mux:Server:Limits:MaxUnsentBytes: '1048575' is not allowed: expected 1048576 to 17592186044416, or Unbounded.")]
    [InlineData("Limits:MaxHandler", "5", "Mux:Server:Limits:MaxHandler: there is no such option; did you mean MaxHandlers?")]
    [InlineData("MaxConections", "5", "Mux:Server:MaxConections: there is no such option; did you mean MaxConnections? Known options: Address, ", "MaxConnections, ")]
    [InlineData("drainTimout", "5", "Mux:Server:drainTimout: there is no such option; did you mean DrainTimeout? Known options: Address, ")]
    [InlineData("DrainTim", "5", "Mux:Server:DrainTim: there is no such option; known options: Address, ")]
    public async Task A_wrong_option_of_the_server_is_named(string key, string value, params string[] expected)
    {
        var builder = NewHost(($"Mux:Server:{key}", value));
        builder.Services.AddMuxServer().AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.All(expected, part => Assert.Contains(part, Assert.Single(error.Failures), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Mux:Server", "mux://127.0.0.1:7070")]
    [InlineData("Mux:Clients:orders", "mux://127.0.0.1:7070")]
    [InlineData("Mux:Server:Limits", "Unbounded")]
    public async Task A_text_in_the_place_of_a_section_is_refused_and_not_passed_over(string key, string value)
    {
        var builder = NewHost((key, value));
        builder.Services.AddMuxServer().AddService<IDesk, Desk>();
        builder.Services.AddKeyedMuxClient("orders", "mux://memory:1");
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.StartsWith($"{key}: '{value}' is not a section with options.", Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_empty_section_of_identities_lets_in_nobody_and_is_refused()
    {
        var builder = NewHost();
        builder.Configuration.AddJsonStream(new MemoryStream("{ \"Mux\": { \"Server\": { \"Identity\": {} } } }"u8.ToArray()));
        builder.Services.AddMuxServer().AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Contains("no client could be authenticated", Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_certificate_that_no_store_has_is_named_with_the_store()
    {
        var builder = NewHost(("Mux:Server:Address", "muxs://127.0.0.1:0"), ("Mux:Server:Tls:CertificateStore:Subject", "nobody.example"), ("Mux:Server:Tls:CertificateStore:Name", "TrustedPeople"));
        builder.Services.AddMuxServer(configure: options => options.Transport = null).AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal("Mux:Server:Tls:CertificateStore: There is no certificate of 'nobody.example' in CurrentUser/TrustedPeople that is valid now and has a private key.", Assert.Single(error.Failures));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public async Task TLS_without_an_address_is_told_that_Kestrel_provides_it(string? address)
    {
        var builder = NewHost(("Mux:Server:Tls:TrustedRootsPath", "roots.pem"));
        builder.Services.AddMuxServer(address, options => options.Transport = null).AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal(
            "Mux:Server:Tls: it has no effect, because no address is set: Kestrel provides the TLS of endpoints of ASP.NET Core (UseMuxHttps). Remove Tls, or set a muxs address.",
            Assert.Single(error.Failures));
    }

    [Fact]
    public async Task Wrong_options_of_TLS_are_named_with_file_and_reason()
    {
        var builder = NewHost(("Mux:Server:Address", "muxs://127.0.0.1:0"), ("Mux:Server:Tls:CertificatPath", "a.pem"), ("Mux:Server:Tls:TrustedRootsPath", "/nowhere/roots.pem"));
        builder.Services.AddMuxServer(configure: options => options.Transport = null).AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.StartsWith("Mux:Server:Tls:CertificatPath: there is no such option; did you mean CertificatePath?", error.Failures.First(), StringComparison.Ordinal);
        Assert.Contains("Mux:Server:Tls:CertificatePath: missing. A server needs a certificate: set CertificatePath or CertificateStore, or Certificate in code", error.Failures);
        Assert.Contains("Mux:Server:Tls:TrustedRootsPath: '/nowhere/roots.pem' cannot be used: Could not find a part of the path '/nowhere/roots.pem'", error.Failures);
    }

    [Theory]
    [InlineData("Address", "mux://host:0", "Mux:Clients:orders:Address: 'mux://host:0' is not allowed: expected a port from 1 to 65535; only a server may have port 0.")]
    [InlineData("MinConnections", "1025", "Mux:Clients:orders:MinConnections: '1025' is not allowed: expected 1 to 1024.")]
    [InlineData("MaxConnections", "0", "Mux:Clients:orders:MaxConnections: '0' is not allowed: expected MinConnections (1) to 1024.")]
    [InlineData("Lifetime", "Call", "Mux:Clients:orders:Lifetime: 'Call' is not one of Shared, PerCall.")]
    [InlineData("MaxConnections", "many", "Mux:Clients:orders:MaxConnections: 'many' is not a whole number: expected MinConnections to 1024.")]
    [InlineData("RequireWarmUp", "true", "Mux:Clients:orders:RequireWarmUp: it has no effect, because WarmUpTime is 0. Set both, or none.")]
    [InlineData("WarmUpTime", "00:11:00", "Mux:Clients:orders:WarmUpTime: '00:11:00' is not allowed: expected 00:00:00.010 to 00:10:00, or 00:00:00 for none.")]
    [InlineData("CallTimeout", "00:00:00", "Mux:Clients:orders:CallTimeout: '00:00:00' is not allowed: expected 00:00:00.001 or more, or -00:00:00.001 for no limit.")]
    [InlineData("MaxQueuedBytes", "4294967297", "Mux:Clients:orders:MaxQueuedBytes: '4294967297' is not allowed: expected 65536 to 4294967296 bytes.")]
    [InlineData("MaxReconnectDelay", "01:00:00", "Mux:Clients:orders:MaxReconnectDelay: '01:00:00' is not allowed: expected 00:00:00.010 to 00:10:00.")]
    [InlineData("Balancing:Policy", "Random", "Mux:Clients:orders:Balancing:Policy: 'Random' is not one of TwoChoices, RoundRobin.")]
    [InlineData("Balancing:ZoneFactor", "0.5", "Mux:Clients:orders:Balancing:ZoneFactor: '0.5' is not allowed: expected 1 to 100.")]
    [InlineData("Balancing:ZoneFactor", "NaN", "Mux:Clients:orders:Balancing:ZoneFactor: 'NaN' is not a")]
    [InlineData("Balancing:Zone", "", "Mux:Clients:orders:Balancing:Zone: '' is not allowed: expected null or the name of a zone.")]
    [InlineData("Balancing:SlowStart", "00:11:00", "Mux:Clients:orders:Balancing:SlowStart: '00:11:00' is not allowed: expected 00:00:00 to 00:10:00.")]
    [InlineData("Balancing:EjectionTime", "00:00:00.05", "Mux:Clients:orders:Balancing:EjectionTime: '00:00:00.0500000' is not allowed: expected 00:00:00.100 to 00:10:00.")]
    [InlineData("Balancing:MaxEjectionTime", "00:00:01", "Mux:Clients:orders:Balancing:MaxEjectionTime: '00:00:01' is not allowed: expected 00:00:05 (EjectionTime) to 01:00:00.")]
    [InlineData("Balancing:SubsetSize", "1", "Mux:Clients:orders:Balancing:SubsetSize: '1' is not allowed: expected 0 for all, or 2 to 10000.")]
    [InlineData("Balancing:SubsetSize", "all", "Mux:Clients:orders:Balancing:SubsetSize: 'all' is not a whole number: expected 0 for all, or 2 to 10000.")]
    [InlineData("Balancing:Weight", "1", "Mux:Clients:orders:Balancing:Weight: there is no such option; known options: EjectFailing, EjectionTime, MaxEjectionTime, Policy, SlowStart, SubsetSize, Zone, ZoneFactor")]
    [InlineData("Resilience:Attempts", "11", "Mux:Clients:orders:Resilience:Attempts: '11' is not allowed: expected 1 to 10.")]
    [InlineData("Resilience:Attempts", "three", "Mux:Clients:orders:Resilience:Attempts: 'three' is not a whole number: expected 1 to 10.")]
    [InlineData("Resilience:HoldTime", "00:02:00", "Mux:Clients:orders:Resilience:HoldTime: '00:02:00' is not allowed: expected 00:00:00 to 00:01:00.")]
    [InlineData("Resilience:Hedge", "P99", "Mux:Clients:orders:Resilience:Hedge: 'P99' is not one of Off, P95.")]
    [InlineData("Resilience:Methods:Find:Attempts", "2", "Mux:Clients:orders:Resilience:Methods: 'Find' is no full name of a method: expected service/method, such as shop.Orders/Find.")]
    [InlineData("Resilience:Methods:shop.Orders/Find:Attempts", "0", "Mux:Clients:orders:Resilience:Methods:shop.Orders/Find:Attempts: '0' is not allowed: expected 1 to 10.")]
    [InlineData("Resilience:Methods:shop.Orders/Find:Statuses:0", "Cancelled", "Mux:Clients:orders:Resilience:Methods:shop.Orders/Find:Statuses: 'Cancelled' is not allowed: expected a status of a failure, except Cancelled.")]
    [InlineData("Resilience:Methods:shop.Orders/Find:Retries", "2", "Mux:Clients:orders:Resilience:Methods:shop.Orders/Find:Retries: there is no such option; known options: Attempts, Hedge, Statuses.")]
    [InlineData("Name", "other", "Mux:Clients:orders:Name: there is no such option; known options: Address, AllowPlaintext, Balancing, CallTimeout, ")]
    public async Task A_wrong_option_of_a_client_is_named_when_the_host_starts_and_not_at_its_first_call(string key, string value, string expected)
    {
        var builder = NewHost(("Mux:Clients:orders:Address", Address));
        builder.Configuration[$"Mux:Clients:orders:{key}"] = value;
        builder.Services.AddKeyedMuxClient("orders").AddProxy<IDesk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.StartsWith(expected, Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    /// <summary>To the framework, "30" is thirty days.</summary>
    [Theory]
    [InlineData("30")]
    [InlineData("24:00:00")]
    [InlineData("30s")]
    [InlineData("")]
    public async Task A_time_is_written_as_one(string value)
    {
        var builder = NewHost(("Mux:Server:IdleTimeout", value));
        builder.Services.AddMuxServer().AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal($"Mux:Server:IdleTimeout: '{value}' is not a time such as 00:00:10 (hours:minutes:seconds).", Assert.Single(error.Failures));
    }

    [Fact]
    public async Task Everything_that_cannot_be_read_is_named_at_once()
    {
        var builder = NewHost(("Mux:Server:MaxConnections", "x"), ("Mux:Server:StallTimeout", "y"), ("Mux:Server:Z", "z"));
        builder.Services.AddMuxServer(Address);
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal(["Mux:Server:MaxConnections", "Mux:Server:StallTimeout", "Mux:Server:Z"], PathsOf(error));
    }

    [Fact]
    public async Task What_cannot_be_read_and_what_is_out_of_range_are_named_together_in_one_sentence()
    {
        var builder = NewHost(("Mux:Clients:orders:Address", "mux://host:0"), ("Mux:Clients:orders:MinConnections", "many"));
        builder.Services.AddKeyedMuxClient("orders", options => options.MaxQueuedBytes = 1);
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal(
            "Mux:Clients:orders:MinConnections: 'many' is not a whole number: expected 1 to 1024; " +
            "Mux:Clients:orders:Address: 'mux://host:0' is not allowed: expected a port from 1 to 65535; only a server may have port 0; " +
            "Mux:Clients:orders:MaxQueuedBytes: '1' is not allowed: expected 65536 to 4294967296 bytes.",
            error.Message);
    }

    [Fact]
    public async Task Everything_that_is_out_of_range_is_named_at_once_also_where_code_has_set_it()
    {
        var builder = NewHost(("Mux:Server:MaxConnections", "0"));
        builder.Services.AddMuxServer(Address, options => options.MaxFramePayload = 1);
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal(["Mux:Server:MaxConnections", "Mux:Server:MaxFramePayload"], PathsOf(error));
    }

    [Fact]
    public async Task Wrong_options_of_server_and_clients_are_named_together()
    {
        var builder = NewHost(("Mux:Server:MaxConnections", "0"), ("Mux:Clients:orders:MinConnections", "0"));
        builder.Services.AddMuxServer(Address);
        builder.Services.AddKeyedMuxClient("orders", Address);
        var error = await FailsToStartAsync<AggregateException>(builder);
        Assert.Equal(["Mux:Clients:orders:MinConnections", "Mux:Server:MaxConnections"], error.InnerExceptions.Cast<OptionsValidationException>().SelectMany(PathsOf).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task The_drain_has_to_fit_into_the_time_the_host_takes_to_stop()
    {
        var builder = NewHost();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(4));
        builder.Services.AddMuxServer(Address, options => options.DrainTimeout = TimeSpan.FromSeconds(3)).AddService<IDesk, Desk>();
        builder.Services.AddMuxClient(Address);
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal("Mux:Clients:Default:DrainTimeout: '00:00:05' is not allowed: it must be below the host's ShutdownTimeout of 00:00:04.", Assert.Single(error.Failures));
    }

    [Fact]
    public async Task A_client_with_a_name_and_without_an_address_is_told_where_to_set_it()
    {
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("ordrs").AddProxy<IDesk>();
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal("Mux:Clients:ordrs:Address: missing. Set it in the configuration or in AddKeyedMuxClient(\"ordrs\", \"mux://host:port\").", error.Message);
    }

    [Fact]
    public async Task Code_may_set_the_address_of_a_client_before_it_is_added()
    {
        var builder = NewHost(("Mux:Clients:orders:Address", "mux://configured:1"));
        builder.Services.Configure<MuxChannelOptions>("orders", options => options.Address = Address);
        builder.Services.AddKeyedMuxClient("orders");
        await using var host = await StartAsync(builder);
        Assert.Equal(Address, host.Services.GetRequiredKeyedService<MuxChannel>("orders").Address.ToString());
    }

    [Fact]
    public async Task The_server_and_the_client_without_a_name_have_a_default_address()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer().AddService<IDesk, Desk>();
        builder.Services.AddMuxClient().AddProxy<IDesk>();
        await using var host = await StartAsync(builder);
        Assert.Equal("mux://127.0.0.1:7070", host.Services.GetRequiredService<MuxChannel>().Address.ToString());
    }

    private static List<string> PathsOf(OptionsValidationException error) => [.. error.Failures.Select(failure => failure.Split(": ")[0]).Order(StringComparer.Ordinal)];
}
