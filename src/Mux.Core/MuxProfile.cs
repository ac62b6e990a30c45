namespace Mux;

/// <summary>Whom a channel or server has to do with: sets the defaults of all its limits. A limit that is set wins over the profile.</summary>
public enum MuxProfile
{
    /// <summary>Peers that are not known: whoever reaches the address. The default.</summary>
    Edge,

    /// <summary>
    /// Peers of the same owner in a network that is closed to others. Limits are ten times wider or more; they find defects, and are no protection.
    /// </summary>
    Internal,
}
