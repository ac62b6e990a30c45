using System.Reflection;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Tests.Documentation;

/// <summary>People filter and count logs by number and name: both are a contract, written down here a second time.</summary>
public sealed class EventIdTests
{
    private static readonly string[] s_agreed =
    [
        "1001 ServerListening", "1002 ServerStopped", "1003 ServerConnectionOpened", "1004 ServerConnectionClosed", "1005 ServerConnectionRefused", "1006 ServerPeerForeign", "1007 ServerStopWaits",
        "1010 HandlerFailed", "1011 HandlerRefused", "1012 RequestUndecodable", "1013 ReplyUnencodable", "1014 ServiceUnavailable", "1015 ScopeFailed",
        "1016 ServerCallbackFailed", "1017 ServerDrainIncomplete", "1018 ServerMaxConnectionsLowered", "1019 ServerServesNothing", "1020 DetailNotDeclared", "1021 FailureIncomplete", "1022 ServerListensInPlaintext",
        "1023 ServerCallEnded", "1024 ServerContractDiffers", "1025 KeyFailed", "1026 CallContextMissed", "1027 OnConnectedFailed", "1028 ReplyTooLarge",
        "1030 ServerLimits", "1031 ServerPeerCutOff", "1032 ServerCallsRefused",
        "1040 AuthenticationFailed", "1041 PeerAuthenticated", "1042 AuthenticatorFailed", "1043 PolicyFailed", "1044 AccessDenied", "1045 MethodsDenied",
        "1046 ClaimsNotPassed",
        "1052 Overloaded", "1053 Recovered",
        "2001 ClientConnectionOpened", "2002 ClientConnectionClosed", "2003 ClientConnectFailed", "2004 ClientDraining", "2005 ClientContinuationFailed", "2006 ClientDrainIncomplete", "2007 ClientCallEnded", "2008 ClientContractDiffers", "2009 ClientConnectionAdded",
        "2010 EndpointsChanged", "2011 EndpointEjected", "2012 EndpointReturned", "2013 Panic", "2014 SourceFailed", "2015 BudgetEmpty", "2016 ClientConnectionRemoved", "2017 OnOpenedFailed", "2018 ClientCallsRefused", "2019 ClientReachedAgain", "2020 OneWayCallFailed", "2021 ChannelDropped",
        "2501 UserCodeBlocked", "2502 TakeOverRefused", "2503 WorkRefused", "2504 WorkStalled", "2505 FilteredCallEnded", "2506 ExceptionMapped",
        "2510 BackplaneConnected", "2511 BackplaneInterrupted", "2512 BackplaneQueueFull", "2513 BackplaneMessageSkipped", "2514 BackplaneMessageRejected", "2520 GroupCallsMissed", "2521 GroupMemberGone",
        "3001 AcceptFailed", "3002 AcceptedCallbackFailed", "3003 LinkFault", "3004 ListenerFault", "3005 StreamAcceptFailed", "3006 StreamCallbackFailed",
        "3007 TlsHandshakeFailed", "3008 TlsHandshakeRefused", "3009 TlsCertificateReloaded", "3010 TlsCertificateKept",
    ];

    [Fact]
    public void Every_event_has_the_number_and_the_name_that_were_agreed()
    {
        const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        var logged = typeof(MuxChannel).Assembly.GetTypes()
            .SelectMany(type => type.GetMethods(all))
            .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>())
            .OfType<LoggerMessageAttribute>()
            .Select(message => $"{message.EventId} {message.EventName}");
        Assert.Equal(s_agreed, logged.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Events_of_endpoints_have_numbers_of_their_own()
    {
        const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.DeclaredOnly;
        var logged = typeof(MuxConnectionBuilderExtensions).Assembly.GetTypes()
            .SelectMany(type => type.GetMethods(all))
            .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>())
            .OfType<LoggerMessageAttribute>()
            .Select(message => $"{message.EventId} {message.EventName}");
        Assert.Equal(["4001 EndpointPlaintextRefused", "4002 EndpointServesPlaintext", "4003 EndpointProtocolRefused"], logged.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Events_of_hosts_have_numbers_of_their_own()
    {
        const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.DeclaredOnly;
        var logged = typeof(Mux.DependencyInjection.IMuxServerBuilder).Assembly.GetTypes()
            .SelectMany(type => type.GetMethods(all))
            .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>())
            .OfType<LoggerMessageAttribute>()
            .Select(message => $"{message.EventId} {message.EventName}");
        Assert.Equal(["1050 Registered", "1051 RegistrationLost", "1060 ServerAddressDefault", "1061 RegistrationWithdrawn", "1062 WithdrawFailed", "2060 ClientAddressDefault", "2061 ClientNotConnected"], logged.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_list_of_numbers_is_whole() =>
        Assert.Equal(s_agreed, typeof(EventIds).GetFields().Select(field => $"{field.GetRawConstantValue()} {field.Name}").Order(StringComparer.Ordinal));
}
