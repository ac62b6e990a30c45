using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>A peer under examination: how to connect to it, and which cases it supports.</summary>
internal abstract class SpecTarget
{
    /// <summary>True if it accepts connections; false if it dials them.</summary>
    public abstract bool IsAccepting { get; }

    /// <summary>True if it makes calls on request: see <see cref="SpecSubject.OpenCallsAsync"/>.</summary>
    public virtual bool MakesCalls => false;

    /// <summary>True if it can be configured with the options of a case.</summary>
    public virtual bool TakesOptions => false;

    /// <summary>True if its texts are those of this implementation in the state of <see cref="Cases.BadInputStage"/>, and are checked.</summary>
    public virtual bool HasOurTexts => false;

    /// <summary>Name of its echo method; another one may reject what it cannot decode.</summary>
    public virtual string Echo => SpecMethods.Echo;

    /// <summary>The first bytes that this side sends: the preface and its HELLO.</summary>
    /// <param name="ownStream">True if the peer opens a stream for the case.</param>
    public virtual byte[] Greeting(bool ownStream) => Raw.Hello(1, 1);

    /// <summary>Shared key of a peer that dials, which it must prove on each connection; null if none is required.</summary>
    public virtual SharedKey? PeersKey => null;

    /// <summary>Credentials of this side for a peer that requires authentication; null to connect anonymously.</summary>
    public virtual ICredentialProvider? Credentials => null;

    /// <summary>True if it accepts as many calls as cases make; a side that only makes calls may accept none.</summary>
    public bool TakesCalls => Settings.MaxCalls >= SpecNeeds.Calls;

    /// <summary>True if it accepts the calls that are made before a case.</summary>
    public bool HoldsCalls => Settings.MaxCalls >= SpecNeeds.HeldCalls && Settings.MaxOrdinals >= SpecNeeds.Definitions;

    /// <summary>The methods of the cases that it has.</summary>
    public IReadOnlySet<string> Methods { get; protected internal set; } = new HashSet<string>(
        StringComparer.Ordinal) { SpecMethods.Echo, SpecMethods.Wait, SpecMethods.Up, SpecMethods.Down, SpecMethods.Both, SpecMethods.Decode };

    /// <summary>The methods that it has but does not let this side call.</summary>
    public IReadOnlySet<string> Denied { get; protected internal set; } = new HashSet<string>(StringComparer.Ordinal);

    /// <summary>Settings of its HELLO, if known.</summary>
    public PeerSettings Settings { get; protected internal set; } = PeerSettings.Default;

    /// <summary>Opens a new connection, on which this side has sent nothing.</summary>
    /// <param name="options">Options for the peer, if it can be configured.</param>
    /// <param name="deadline">Ends the attempt.</param>
    /// <exception cref="SpecFailure">There is no connection; the message says why.</exception>
    public abstract Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline);

    /// <summary>Returns the reason why a case cannot be played against it, or null.</summary>
    public string? WhyNot(BadInputCase badInput)
    {
        if (badInput.Accepting is { } accepting && accepting != IsAccepting)
        {
            return IsAccepting ? "concerns the side that dials" : "concerns the side that accepts";
        }

        bool isAuthenticating = badInput.Stage == BadInputStage.Authenticating;
        if (!TakesOptions && IsAccepting && isAuthenticating && !Settings.DemandsAuthentication) return "needs a peer that demands authentication";
        if (!MakesCalls && SpecNeeds.OwnCalls(badInput)) return "needs a peer that has made calls itself";
        if (!TakesOptions && badInput.Options.Credentials is ProvingCredentials && PeersKey is null)
        {
            return "needs a peer with a shared key that the tool knows: --shared-key";
        }

        if (!TakesOptions && badInput.Options.Credentials is FixedCredentials && badInput.Challenge.Length > 0 && PeersKey is not null)
        {
            return "needs a peer whose credential has no proof";
        }

        var limits = isAuthenticating ? badInput.Options with { Admission = null, Credentials = null } : badInput.Options; // the peer has its own
        bool hasLimits = limits == new ConnectionOptions() || SpecNeeds.HasLimits(limits, Settings);
        if (!TakesOptions && !hasLimits) return $"needs a peer with other limits: {SpecNeeds.Limits(badInput.Options)}";
        if (!TakesOptions && !Settings.ReadsFingerprints && SpecNeeds.Fingerprints(badInput, MakesCalls))
        {
            return "needs a peer that reads fingerprints: setting 13 of its HELLO";
        }

        if (!TakesOptions && !Settings.ReadsStreamMetadata && SpecNeeds.StreamMetadata(badInput))
        {
            return "needs a peer that reads metadata ahead of its streams: setting 20 of its HELLO";
        }

        if (!TakesOptions && Settings.ReadsLeases ? SpecNeeds.NoLeases(badInput) : !TakesOptions && SpecNeeds.Leases(badInput))
        {
            return $"needs a peer that {(Settings.ReadsLeases ? "does not read" : "reads")} LEASE: setting 15 of its HELLO";
        }

        if (SpecNeeds.Methods(badInput).FirstOrDefault(method => !Methods.Contains(method)) is { } missing) return WithoutMethod(missing);
        bool takesCalls = TakesCalls || (HoldsCalls && badInput.Options.Local.MaxCalls == Settings.MaxCalls);
        if (!takesCalls && badInput.Stage == BadInputStage.Open && (IsAccepting || SpecNeeds.MakesCalls(badInput)))
        {
            return $"needs a peer that takes {SpecNeeds.Calls} calls at a time, and not {Settings.MaxCalls}";
        }

        if (!Methods.Contains(Echo) && SpecNeeds.Reply(badInput)) return WithoutMethod(Echo);
        // a denied method is answered the same way in every case
        if (Denied.Contains(Echo) && badInput.Stage == BadInputStage.Open && badInput.Reaction.Answers.Length > 0) return WithoutMethod(Echo);
        return SpecNeeds.Exceeds(badInput, Settings);
    }

    private string WithoutMethod(string method) =>
        $"needs the method {method}, which the peer does not {(Denied.Contains(method) ? "let this side call" : "know")}";
}
