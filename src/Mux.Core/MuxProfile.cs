namespace Mux;

/// <summary>The kind of peers of a channel or server. It sets the defaults of all limits; a limit that is set overrides the profile.</summary>
public enum MuxProfile
{
    /// <summary>Unknown peers: any that can reach the address. The default.</summary>
    Edge,

    /// <summary>
    /// Peers of the same owner in a closed network. Limits are ten times wider or more: they detect defects and do not protect against attacks.
    /// </summary>
    Internal,
}
