namespace Mux.Generators.Messages.Models;

/// <summary>When a method of a message is called.</summary>
internal enum CallbackMoment
{
    BeforeWriting,

    AfterWriting,

    /// <summary>When the object is made, or when there is one already.</summary>
    BeforeReading,

    AfterReading,
}
