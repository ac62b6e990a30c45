namespace Mux;

/// <summary>The kind of peers of a channel or server. It sets the defaults of all limits; a limit that is set overrides the profile.</summary>
public enum MuxProfile
{
    /// <summary>Peers that are not known: every peer that can reach the address. The default.</summary>
    Edge,

    /// <summary>
    /// Peers of the same owner in a closed network. Limits are wider than with <see cref="Edge"/>, many of them ten times or more, and some are off. They
    /// detect defects; they do not protect against attacks.
    /// </summary>
    Internal,
}
