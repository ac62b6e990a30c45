using Mux.Identity;
using Mux.ProtocolCases.Cases;
using Mux.Sessions.Setup;
using Mux.Wire;

namespace Mux.ProtocolCases.Running;

/// <summary>A peer under examination: how to connect to it, and what can be asked of it.</summary>
internal abstract class SpecTarget
{
    /// <summary>Whether it accepts connections, or dials them.</summary>
    public abstract bool IsAccepting { get; }

    /// <summary>Whether it makes calls when it is asked to: see <see cref="SpecSubject.OpenCallsAsync"/>.</summary>
    public virtual bool MakesCalls => false;

    /// <summary>Whether it takes the options of a case.</summary>
    public virtual bool TakesOptions => false;

    /// <summary>Whether its texts are those of this implementation in the state of <see cref="Cases.BadInputStage"/>, and looked at.</summary>
    public virtual bool HasOurTexts => false;

    /// <summary>The name of its method that answers with what it is sent; another one may refuse what it cannot decode.</summary>
    public virtual string Echo => SpecMethods.Echo;

    /// <summary>What this side sends first: the preface and its HELLO.</summary>
    /// <param name="ownStream">Whether the peer opens a stream for the case.</param>
    public virtual byte[] Greeting(bool ownStream) => Raw.Hello(1, 1);

    /// <summary>The shared key of a peer that dials, which has to prove it on each connection; null for one that is not asked.</summary>
    public virtual SharedKey? PeersKey => null;

    /// <summary>Says who this side is, where the peer asks; null for a side that is nobody in particular.</summary>
    public virtual ICredentialProvider? Credentials => null;

    /// <summary>Whether it takes as many calls as cases make; a side that only calls may take none.</summary>
    public bool TakesCalls => Settings.MaxCalls >= SpecNeeds.Calls;

    /// <summary>Whether it takes the calls that are made before a case.</summary>
    public bool HoldsCalls => Settings.MaxCalls >= SpecNeeds.HeldCalls && Settings.MaxOrdinals >= SpecNeeds.Definitions;

    /// <summary>What it has of the methods that cases call.</summary>
    public IReadOnlySet<string> Methods { get; protected internal set; } = new HashSet<string>(
        StringComparer.Ordinal) { SpecMethods.Echo, SpecMethods.Wait, SpecMethods.Up, SpecMethods.Down, SpecMethods.Both, SpecMethods.Decode };

    /// <summary>What it has of them and does not let this side call.</summary>
    public IReadOnlySet<string> Denied { get; protected internal set; } = new HashSet<string>(StringComparer.Ordinal);

    /// <summary>What it says in its HELLO, where that is known.</summary>
    public PeerSettings Settings { get; protected internal set; } = PeerSettings.Default;

    /// <summary>A new connection, on which nothing was sent by this side.</summary>
    /// <param name="options">What the peer is told, if it takes options.</param>
    /// <param name="deadline">When to give up.</param>
    /// <exception cref="SpecFailure">There is none; the message says why.</exception>
    public abstract Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline);

    /// <summary>Why a case cannot be played against it, or null: it can.</summary>
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
            return "needs a peer with a shared key that is known here: --shared-key";
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

        if (SpecNeeds.Methods(badInput).FirstOrDefault(method => !Methods.Contains(method)) is { } missing) return WithoutMethod(missing);
        bool takesCalls = TakesCalls || (HoldsCalls && badInput.Options.Local.MaxCalls == Settings.MaxCalls);
        if (!takesCalls && badInput.Stage == BadInputStage.Open && (IsAccepting || SpecNeeds.MakesCalls(badInput)))
        {
            return $"needs a peer that takes {SpecNeeds.Calls} calls at a time, and not {Settings.MaxCalls}";
        }

        if (!Methods.Contains(Echo) && SpecNeeds.Reply(badInput)) return WithoutMethod(Echo);
        // what is refused is answered so, whatever else it is
        if (Denied.Contains(Echo) && badInput.Stage == BadInputStage.Open && badInput.Reaction.Answers.Length > 0) return WithoutMethod(Echo);
        return SpecNeeds.Exceeds(badInput, Settings);
    }

    private string WithoutMethod(string method) =>
        $"needs the method {method}, which the peer does not {(Denied.Contains(method) ? "let this side call" : "know")}";
}
