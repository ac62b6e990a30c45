namespace Mux.Runtime;

/// <summary>
/// Numbers of log events: 1xxx server, 2xxx client (25xx both), 3xxx transports; 4xxx are endpoints of ASP.NET Core, in Mux.AspNetCore. A number is never
/// reused, even after its event is removed.
/// </summary>
internal static class EventIds
{
    public const int ServerListening = 1001;
    public const int ServerStopped = 1002;
    public const int ServerConnectionOpened = 1003;
    public const int ServerConnectionClosed = 1004;
    public const int ServerConnectionRefused = 1005;
    public const int ServerPeerForeign = 1006;
    public const int ServerStopWaits = 1007;
    public const int HandlerFailed = 1010;
    public const int HandlerRefused = 1011;
    public const int RequestUndecodable = 1012;
    public const int ReplyUnencodable = 1013;
    public const int ServiceUnavailable = 1014;
    public const int ScopeFailed = 1015;
    public const int ServerCallbackFailed = 1016;
    public const int ServerDrainIncomplete = 1017;
    public const int ServerMaxConnectionsLowered = 1018;
    public const int ServerServesNothing = 1019;
    public const int DetailNotDeclared = 1020;
    public const int FailureIncomplete = 1021;
    public const int ServerListensInPlaintext = 1022;
    public const int ServerCallEnded = 1023;
    public const int ServerContractDiffers = 1024;
    public const int KeyFailed = 1025;
    public const int CallContextMissed = 1026;
    public const int OnConnectedFailed = 1027;
    public const int ReplyTooLarge = 1028;
    public const int ServerLimits = 1030;
    public const int ServerPeerCutOff = 1031;
    public const int ServerCallsRefused = 1032;
    public const int AuthenticationFailed = 1040;
    public const int PeerAuthenticated = 1041;
    public const int AuthenticatorFailed = 1042;
    public const int PolicyFailed = 1043;
    public const int AccessDenied = 1044;
    public const int MethodsDenied = 1045;
    public const int ClaimsNotPassed = 1046;
    public const int Overloaded = 1052;
    public const int Recovered = 1053;

    public const int ClientConnectionOpened = 2001;
    public const int ClientConnectionClosed = 2002;
    public const int ClientConnectFailed = 2003;
    public const int ClientDraining = 2004;
    public const int ClientContinuationFailed = 2005;
    public const int ClientDrainIncomplete = 2006;
    public const int ClientCallEnded = 2007;
    public const int ClientContractDiffers = 2008;
    public const int ClientConnectionAdded = 2009;
    public const int ClientConnectionRemoved = 2016;
    public const int EndpointsChanged = 2010;
    public const int EndpointEjected = 2011;
    public const int EndpointReturned = 2012;
    public const int Panic = 2013;
    public const int SourceFailed = 2014;

    public const int BudgetEmpty = 2015;
    public const int OnOpenedFailed = 2017;
    public const int ClientCallsRefused = 2018;
    public const int ClientReachedAgain = 2019;
    public const int OneWayCallFailed = 2020;
    public const int ChannelDropped = 2021;

    public const int UserCodeBlocked = 2501;
    public const int TakeOverRefused = 2502;
    public const int WorkRefused = 2503;
    public const int WorkStalled = 2504;
    public const int FilteredCallEnded = 2505;
    public const int ExceptionMapped = 2506;
    public const int BackplaneConnected = 2510;
    public const int BackplaneInterrupted = 2511;
    public const int BackplaneQueueFull = 2512;
    public const int BackplaneMessageSkipped = 2513;
    public const int BackplaneMessageRejected = 2514;
    public const int GroupCallsMissed = 2520;
    public const int GroupMemberGone = 2521;

    public const int AcceptFailed = 3001;
    public const int AcceptedCallbackFailed = 3002;
    public const int LinkFault = 3003;
    public const int ListenerFault = 3004;
    public const int StreamAcceptFailed = 3005;
    public const int StreamCallbackFailed = 3006;
    public const int TlsHandshakeFailed = 3007;
    public const int TlsHandshakeRefused = 3008;
    public const int TlsCertificateReloaded = 3009;
    public const int TlsCertificateKept = 3010;
}
