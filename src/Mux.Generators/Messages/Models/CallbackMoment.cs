namespace Mux.Generators.Messages.Models;

/// <summary>Moments at which a method of a message is called.</summary>
internal enum CallbackMoment
{
    BeforeWriting,

    AfterWriting,

    /// <summary>When the object is created, or when an existing one is read into.</summary>
    BeforeReading,

    AfterReading,
}
